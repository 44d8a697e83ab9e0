/** The pages that say what a shopper may want to know: the footer links to them. */
export const infoPages = ["terms", "returns", "privacy", "contact"] as const;
export type InfoPage = (typeof infoPages)[number];
