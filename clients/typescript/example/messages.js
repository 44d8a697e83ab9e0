// The shop's own texts, in two languages, for the error codes of the API (docs/api/errors.md). Each
// gets the code's parameters and the name of the field.

const names = {
  en: {},
  nl: { email: "e-mailadres", name: "naam", street: "straat", postal_code: "postcode", city: "plaats", country: "land", quantity: "aantal", code: "code", lines: "winkelwagen" },
};

const units = { en: { characters: " characters", items: " items", bytes: " bytes" }, nl: { characters: " tekens", items: " regels", bytes: " bytes" } };

const texts = {
  en: {
    required: (_, field) => `Please fill in: ${field}.`,
    email: () => "This is no e-mail address.",
    max: ({ max, unit }, field) => `${field}: at most ${max}${units.en[unit] ?? ""}.`,
    min: ({ min, unit }, field) => `${field}: at least ${min}${units.en[unit] ?? ""}.`,
    size: ({ size }, field) => `${field}: exactly ${size} characters.`,
    numeric: (_, field) => `${field}: a number, please.`,
    decimals: ({ max }, field) => `${field}: at most ${max} decimals.`,
    gt: (_, field) => `${field}: more than 0, please.`,
    in: (_, field) => `Please choose another ${field}.`,
    credentials_refused: () => "E-mail and password do not belong together.",
    quantity_not_whole: () => "This is sold by the piece: a whole number, please.",
    product_unavailable: () => "This product is not for sale now.",
    dimension_required: ({ label }) => `${label} is missing.`,
    dimension_min: ({ label, min }) => `${label}: at least ${min} mm.`,
    dimension_max: ({ label, max }) => `${label}: at most ${max} mm.`,
    dimension_step: ({ label, step }) => `${label}: in steps of ${step} mm.`,
    choose_option: ({ label }) => `Please choose: ${label}.`,
    choose_one: ({ label }) => `One only: ${label}.`,
    choice_requires: ({ label, required }) => `${label} needs ${required}.`,
  },
  nl: {
    required: (_, field) => `Vul in: ${field}.`,
    email: () => "Dit is geen e-mailadres.",
    max: ({ max, unit }, field) => `${field}: hooguit ${max}${units.nl[unit] ?? ""}.`,
    min: ({ min, unit }, field) => `${field}: minstens ${min}${units.nl[unit] ?? ""}.`,
    size: ({ size }, field) => `${field}: precies ${size} tekens.`,
    numeric: (_, field) => `${field}: een getal, alstublieft.`,
    decimals: ({ max }, field) => `${field}: hooguit ${max} decimalen.`,
    gt: (_, field) => `${field}: meer dan 0.`,
    in: (_, field) => `Kies een andere ${field}.`,
    credentials_refused: () => "E-mailadres en wachtwoord horen niet bij elkaar.",
    quantity_not_whole: () => "Dit wordt per stuk verkocht: een heel getal, alstublieft.",
    product_unavailable: () => "Dit product is nu niet te koop.",
    dimension_required: ({ label }) => `${label} ontbreekt.`,
    dimension_min: ({ label, min }) => `${label}: minstens ${min} mm.`,
    dimension_max: ({ label, max }) => `${label}: hooguit ${max} mm.`,
    dimension_step: ({ label, step }) => `${label}: in stappen van ${step} mm.`,
    choose_option: ({ label }) => `Maak een keuze: ${label}.`,
    choose_one: ({ label }) => `Kies er één: ${label}.`,
    choice_requires: ({ label, required }) => `${label} vraagt om ${required}.`,
  },
};

/** The texts of a refusal in a language: the API's own text where the shop has none for the code. */
export function messages(refused, language) {
  return Object.entries(refused.errorCodes).flatMap(([path, codes]) =>
    codes.map((code, at) => {
      const field = path.split(".").at(-1);
      const text = texts[language][code.code];
      return text?.(code, names[language][field] ?? field.replaceAll("_", " ")) ?? refused.errors[path][at];
    }));
}
