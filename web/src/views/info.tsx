import { infoPages, type InfoPage } from "../info.js";
import { t } from "../shared/t.js";
import { useTitle } from "../title.js";

export const isPage = (name: string | undefined): name is InfoPage => infoPages.some((one) => one === name);

/** A page of the footer. */
export function InfoView({ page }: { page: InfoPage }) {
  useTitle(t.pages[page]);
  return (
    <div class="narrow">
      <h1 tabIndex={-1}>{t.pages[page]}</h1>
      <p class="notice">{t.pages.demo}</p>
      {t.pages[`${page}Text`].map((one) => (
        <p>{one}</p>
      ))}
    </div>
  );
}
