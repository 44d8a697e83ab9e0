import { textIn } from "./form-text";

/** The shopper's own words in a form, and the labels of their fields by the name of the field. */
export function propertiesOf(form: FormData): { properties: Record<string, string>; labels: Record<string, string> } {
  const properties: Record<string, string> = {};
  const labels: Record<string, string> = {};
  for (const [name, value] of form) {
    if (!name.startsWith("properties.")) continue;
    if (value !== "") properties[name.slice("properties.".length)] = textIn(form, name);
    labels[name] = textIn(form, `label.${name}`);
  }
  return { properties, labels };
}

/** A quantity as people write it. */
export const quantityOf = (form: FormData) => Number(textIn(form, "quantity").replace(",", "."));
