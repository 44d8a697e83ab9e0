import { quantity } from "../../shared/formats.js";
import { href } from "../../shared/router.js";
import { t } from "../../shared/t.js";
import { listFew } from "../stock.js";
import { RowList, useRows } from "./rows.js";

/** The items of which few are left. */
export function Few() {
  const rows = useRows(listFew, []);
  return (
    <RowList of={rows} kind="few" heads={t.products.fewHeads} none={<p>{t.products.noneFew}</p>}>
      {(one) => (
        <a class="row cells-few" href={href(["products", one.product_id])}>
          <b class="cut">{one.name}</b>
          <span class="cut cell-soft">{one.sku}</span>
          <span class="number">{quantity(one.on_hand)}</span>
          <span class="number">{quantity(one.held)}</span>
          <span class="number">{quantity(one.available)}</span>
        </a>
      )}
    </RowList>
  );
}
