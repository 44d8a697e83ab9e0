import type { Product } from "../api.js";
import { optionsOf, stateOf, type Picked, type State } from "../variants.js";
import { t } from "../shared/t.js";

/** The choice of a variant: by its options, or by its name where the product has none. */
export function Options({ of, picked, pick }: { of: Product; picked: Picked; pick: (picked: Picked) => void }) {
  return (
    <>
      {optionsOf(of).map(({ name, values }) => {
        const states = new Map(values.map((value) => [value, stateOf(of, picked, name, value)]));
        const chosen = picked[name];
        const against = (chosen !== undefined && states.get(chosen)?.against) || [];
        const rest = values.filter((value) => states.get(value)!.against.length === 0);
        return (
          <fieldset class="options">
            <legend>{name}</legend>
            <div class="options-values">
              {values.map((value) => (
                <Value
                  group={name}
                  value={value}
                  state={states.get(value)!}
                  checked={chosen === value}
                  choose={() => pick({ ...picked, [name]: value })}
                />
              ))}
            </div>
            <p class="errors options-said" role="status">
              {against.length > 0 && t.product.notWith(chosen!, against)}
              {against.length > 0 && rest.length > 0 && ` ${t.product.rest(rest)}`}
            </p>
          </fieldset>
        );
      })}
    </>
  );
}

function Value({
  group,
  value,
  state,
  checked,
  choose,
}: {
  group: string;
  value: string;
  state: State;
  checked: boolean;
  choose: () => void;
}) {
  const note = state.against.length > 0 ? t.product.notWithShort(state.against.join(", ")) : state.gone ? t.product.soldOutShort : null;
  return (
    <label class={note ? "option option-gone" : "option"}>
      <input type="radio" name={`option-${group}`} checked={checked} onChange={choose} />
      <span>
        {value}
        {note && <small> {note}</small>}
      </span>
    </label>
  );
}
