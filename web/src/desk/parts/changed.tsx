import { t } from "../../shared/t.js";
import { differences, type Facts, type Record } from "../record.js";

/** What somebody else has written while the record was on the screen. */
export function Changed<T>({ record, facts }: { record: Record<T>; facts: (of: T) => Facts }) {
  const { before, body } = record;
  return (
    <div role="alert">
      {before !== null && body !== null && before !== body && (
        <div class="notice notice-changed">
          <p>
            <b>{t.changed.title}</b> {t.changed.why}
          </p>
          <table>
            <thead>
              <tr>
                <th scope="col">{t.changed.what}</th>
                <th scope="col">{t.changed.was}</th>
                <th scope="col">{t.changed.is}</th>
              </tr>
            </thead>
            <tbody>
              {differences(facts(before), facts(body)).map(({ name, was, is }) => (
                <tr>
                  <th scope="row">{name}</th>
                  <td>{was || "–"}</td>
                  <td>{is || "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p>
            <button type="button" class="button button-quiet" onClick={record.seen}>
              {t.changed.good}
            </button>
          </p>
        </div>
      )}
    </div>
  );
}
