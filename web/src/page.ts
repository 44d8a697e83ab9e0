// What the page was served with: `cartd serve --demo` writes it into its <html>.

const { store = "", catalogue = "" } = document.documentElement.dataset;

/** The name of the store. */
export const storeName = store;

/** Whether the shop shows the demo's own store, and not a merchant's document. */
export const northwind = catalogue === "northwind";
