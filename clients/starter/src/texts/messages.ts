import type { ErrorCode } from "cartd-client";

/** A text in English and in Dutch. A language more is a column more. */
export type Row = readonly [english: string, dutch: string];

const notSold: Row = ["This is not for sale now.", "Dit is nu niet te koop."];
const noVariant: Row = ["Choose a version.", "Kies een uitvoering."];
const notMade: Row = ["It cannot be made this way.", "Zo kan het niet gemaakt worden."];
const tooLarge: Row = ["The cart would be too large.", "De winkelwagen wordt te groot."];

/** The messages of cartd about a field, by their error code. {label} is the field, the others are the code's parameters. */
export const messages: Record<ErrorCode["code"], Row> = {
  required: ["{label} is required.", "{label} is verplicht."],
  string: ["{label} is required.", "{label} is verplicht."],
  array: ["{label} must be a list.", "{label} moet een lijst zijn."],
  boolean: ["{label} must be yes or no.", "{label} moet ja of nee zijn."],
  uuid: ["{label} is not valid.", "{label} is niet geldig."],
  email: ["{label} must be an address like name@example.com.", "{label} moet een adres zijn als naam@example.com."],
  integer: ["{label} must be a whole number.", "{label} moet een heel getal zijn."],
  numeric: ["{label} must be a number.", "{label} moet een getal zijn."],
  decimals: ["{label} can have at most {max} decimals.", "{label} mag hooguit {max} decimalen hebben."],
  gt: ["{label} must be more than {than}.", "{label} moet meer zijn dan {than}."],
  min: ["{label} must be at least {min}{unit}.", "{label} moet minstens {min}{unit} zijn."],
  max: ["{label} can be at most {max}{unit}.", "{label} mag hooguit {max}{unit} zijn."],
  multiple_of: ["It comes in packs of {value}.", "Dit gaat per {value}."],
  size: ["{label} must have {size} characters.", "{label} moet {size} tekens hebben."],
  in: ["{label}: please choose another one.", "{label}: maak een andere keuze."],
  confirmed: ["{label} is not the same both times.", "{label} is niet twee keer hetzelfde."],
  date: ["{label} must be a date.", "{label} moet een datum zijn."],
  after_or_equal: ["{label} must be at {date} or later.", "{label} moet {date} of later zijn."],
  before_or_equal: ["{label} must be at {date} or earlier.", "{label} moet {date} of eerder zijn."],
  quote_country: ["This quote is for {country}.", "Deze offerte is voor {country}."],
  scalar: ["{label} must be a text or a number.", "{label} moet een tekst of een getal zijn."],
  control_character: ["{label} has a character that cannot be printed.", "{label} heeft een teken dat niet te drukken is."],
  more_faults: ["There are {count} more mistakes.", "Er zijn nog {count} fouten."],
  document: ["This does not fit the store: {fault}", "Dit past niet bij de winkel: {fault}"],
  dimension_required: ["{label} is missing.", "{label} ontbreekt."],
  dimension_whole: ["{label} must be a whole number of millimetres.", "{label} moet een heel aantal millimeters zijn."],
  dimension_min: ["{label} must be at least {min} mm.", "{label} moet minstens {min} mm zijn."],
  dimension_max: ["{label} can be at most {max} mm.", "{label} mag hooguit {max} mm zijn."],
  dimension_step: ["{label} goes in steps of {step} mm.", "{label} gaat in stappen van {step} mm."],
  dimension_unknown: ["This measure does not belong to the product.", "Deze maat hoort niet bij het product."],
  choice_unavailable: ["This choice is not available.", "Deze keuze is er niet."],
  choice_requires: ["{label} needs {required}.", "{label} vraagt om {required}."],
  choose_option: ["Please choose: {label}.", "Maak een keuze: {label}."],
  choose_one: ["Please choose one only: {label}.", "Kies er één: {label}."],
  property_required: ["{label} is required.", "{label} is verplicht."],
  property_unknown: ["This text does not belong to the product.", "Deze tekst hoort niet bij het product."],
  no_properties: ["Nothing can be written on this product.", "Op dit product kan niets geschreven worden."],
  address_book_full: ["The address book is full.", "Het adresboek is vol."],
  credentials_refused: ["E-mail and password do not belong together.", "E-mailadres en wachtwoord horen niet bij elkaar."],
  email_taken: ["There is an account with this address. Log in.", "Er is al een account met dit adres. Log in."],
  password_incorrect: ["This is not your password.", "Dit is niet uw wachtwoord."],
  reset_token_invalid: ["This link is used up or too old.", "Deze link is gebruikt of te oud."],
  stock_untracked: ["Its stock is not counted.", "De voorraad hiervan wordt niet geteld."],
  stock_below_zero: ["There are not that many.", "Zoveel zijn er niet."],
  stock_above_maximum: ["That is more than can be counted.", "Dat is meer dan geteld kan worden."],
  product_unavailable: notSold,
  variant_unavailable: notSold,
  choose_variant: noVariant,
  no_variants: noVariant,
  configurable_has_no_variants: noVariant,
  configuration_missing: ["The measures are missing.", "De maten ontbreken."],
  not_configurable: notMade,
  no_configured_price: ["There is no price for these measures.", "Voor deze maten is er geen prijs."],
  configuration_invalid: notMade,
  line_exists: ["The cart has this line already.", "Deze regel staat al in de winkelwagen."],
  quantity_not_whole: ["A whole number, please.", "Een heel getal, alstublieft."],
  quantity_above_maximum: ["At most {max} can be ordered at once.", "Er kunnen er hooguit {max} tegelijk besteld worden."],
  code_limit_reached: ["The cart can have at most {max} codes.", "In de winkelwagen passen hoogstens {max} codes."],
  line_limit_reached: ["The cart has as many lines as it can have.", "De winkelwagen heeft zoveel regels als er in kunnen."],
  total_limit_reached: tooLarge,
  cart_too_large: tooLarge,
};

/** The codes of whole refusals. One that is missing here is shown in cartd's own words. */
export const refusals: Record<string, Row> = {
  QUOTE_REQUIRED: [
    "This cart is sold by quote: ask for one in the cart.",
    "Deze winkelwagen wordt met een offerte verkocht: vraag die in de winkelwagen aan.",
  ],
  CART_CHANGED: ["The total has changed since you looked. Look at it again before you order.", "Het totaal is veranderd. Bekijk het voor u bestelt."],
  version_mismatch: ["This has changed since you looked. Look at it again.", "Dit is veranderd sinds u keek. Bekijk het opnieuw."],
  OUT_OF_STOCK: ["There is too little of something in the cart.", "Van iets in de winkelwagen is er te weinig."],
  ALREADY_CONVERTED: ["This has been ordered already.", "Dit is al besteld."],
  QUOTE_NOT_OFFERED: ["This quote has been answered already.", "Deze offerte is al beantwoord."],
  QUOTE_EXPIRED: ["This quote has ended.", "Deze offerte is verlopen."],
  QUOTE_CHANGED: ["This quote has changed since you saw it. This is how it is now.", "Deze offerte is veranderd sinds u haar zag. Zo is zij nu."],
  login_required: ["Log in to order.", "Log in om te bestellen."],
  guest_only: ["This shop sells to guests only.", "Deze winkel verkoopt alleen aan gasten."],
  b2b_approval_required: ["Your company has not been approved yet.", "Uw bedrijf is nog niet goedgekeurd."],
  b2c_only: ["This shop sells to consumers only.", "Deze winkel verkoopt alleen aan consumenten."],
  b2b_only: ["This shop sells to companies only.", "Deze winkel verkoopt alleen aan bedrijven."],
  min_order_value: ["The total is too small for an order.", "Het totaal is te klein voor een bestelling."],
  ORDER_SHIPPED: ["This order is on its way: it cannot be cancelled here.", "Deze bestelling is onderweg en kan hier niet geannuleerd worden."],
  ORDER_COMPLETED: ["This order is completed: it cannot be cancelled here.", "Deze bestelling is afgerond en kan hier niet geannuleerd worden."],
  ORDER_ARCHIVED: ["This order is too old to be ordered again.", "Deze bestelling is te oud om opnieuw te bestellen."],
  cart_constraint: ["The cart cannot take this.", "Dit kan niet in de winkelwagen."],
  SIGNATURE_REQUIRED: ["Your signature is missing.", "Uw handtekening ontbreekt."],
  SIGNATURE_INVALID: ["Your signature cannot be read. Sign again.", "Uw handtekening is niet leesbaar. Teken opnieuw."],
  ALREADY_PAID: ["This order is paid.", "Deze bestelling is betaald."],
  NOT_CANCELLABLE: ["This order cannot be cancelled here.", "Deze bestelling kan hier niet geannuleerd worden."],
  ORDER_CANCELLED: ["This order has ended.", "Deze bestelling is beëindigd."],
  store_closed: ["The shop takes no orders for a while.", "De winkel neemt even geen bestellingen aan."],
  tenant_suspended: ["This shop is closed.", "Deze winkel is gesloten."],
};

/** Why a discount code has no effect. */
export const codeErrors: Record<string, Row> = {
  invalid: ["is not a code of this shop", "is geen code van deze winkel"],
  expired: ["is not valid now", "is nu niet geldig"],
  min_order: ["needs a larger order", "vraagt om een grotere bestelling"],
  not_eligible: ["does not apply to this cart", "geldt niet voor deze winkelwagen"],
  usage_limit: ["is used up", "is opgebruikt"],
};

/** Why a line of the cart cannot be ordered, by the code of the refusal. */
export const reasons: Record<string, Row> = {
  OUT_OF_STOCK: ["There are not that many.", "Zoveel zijn er niet."],
  NOT_PURCHASABLE: notSold,
  CAPABILITY_INACTIVE: notSold,
  INVALID_CONFIGURATION: notMade,
  INVALID_PROPERTIES: ["The text for this product has to be written anew.", "De tekst voor dit product moet opnieuw geschreven worden."],
};
