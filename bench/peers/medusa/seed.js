// What is sold in the flash sale of docs/bench.md. It prints the ids that the adapter needs.
// Usage: npx medusa exec ./seed.js
const { ContainerRegistrationKeys, Modules } = require("@medusajs/framework/utils");
const flows = require("@medusajs/medusa/core-flows");

module.exports.default = async function ({ container }) {
  const run = async (name, input) => (await flows[name](container).run({ input })).result;
  const link = container.resolve(ContainerRegistrationKeys.LINK);
  const fulfillment = container.resolve(Modules.FULFILLMENT);
  const [channel] = await run("createSalesChannelsWorkflow", { salesChannelsData: [{ name: "Flash" }] });
  const [region] = await run("createRegionsWorkflow", { regions: [
    { name: "NL", currency_code: "eur", countries: ["nl"], payment_providers: ["pp_system_default"], automatic_taxes: false }] });
  const [place] = await run("createStockLocationsWorkflow", { locations: [{ name: "Flash", address: { address_1: "Dam 1", country_code: "NL" } }] });
  await link.create({ [Modules.STOCK_LOCATION]: { stock_location_id: place.id }, [Modules.FULFILLMENT]: { fulfillment_provider_id: "manual_manual" } });
  const [profile] = await run("createShippingProfilesWorkflow", { data: [{ name: "Flash", type: "default" }] });
  const set = await fulfillment.createFulfillmentSets({ name: "Flash", type: "shipping", service_zones: [
    { name: "NL", geo_zones: [{ country_code: "nl", type: "country" }] }] });
  await link.create({ [Modules.STOCK_LOCATION]: { stock_location_id: place.id }, [Modules.FULFILLMENT]: { fulfillment_set_id: set.id } });
  const [option] = await run("createShippingOptionsWorkflow", [{
    name: "Parcel", price_type: "flat", provider_id: "manual_manual", service_zone_id: set.service_zones[0].id, shipping_profile_id: profile.id,
    type: { label: "Parcel", description: "Parcel", code: "parcel" }, prices: [{ currency_code: "eur", amount: 4.95 }],
    rules: [{ attribute: "enabled_in_store", value: "true", operator: "eq" }, { attribute: "is_return", value: "false", operator: "eq" }],
  }]);
  await run("linkSalesChannelsToStockLocationWorkflow", { id: place.id, add: [channel.id] });
  const [key] = await run("createApiKeysWorkflow", { api_keys: [{ title: "Flash", type: "publishable", created_by: "" }] });
  await run("linkSalesChannelsToApiKeyWorkflow", { id: key.id, add: [channel.id] });
  const [product] = await run("createProductsWorkflow", { products: [{
    title: "Flash", status: "published", shipping_profile_id: profile.id, sales_channels: [{ id: channel.id }], options: [{ title: "Kind", values: ["One"] }],
    variants: [{ title: "One", sku: "FLASH", options: { Kind: "One" }, manage_inventory: true, prices: [{ currency_code: "eur", amount: 10 }] }],
  }] });
  const [item] = await container.resolve(Modules.INVENTORY).listInventoryItems({ sku: "FLASH" });
  await run("createInventoryLevelsWorkflow", { inventory_levels: [{ inventory_item_id: item.id, location_id: place.id, stocked_quantity: 500 }] });
  await run("createPromotionsWorkflow", { promotionsData: [{
    code: "FLASH1", type: "standard", status: "active", limit: 200,
    application_method: { type: "fixed", target_type: "order", allocation: "across", value: 1, currency_code: "eur" },
  }] });
  console.log(`variant_EDIT=${product.variants[0].id} reg_EDIT=${region.id} so_EDIT=${option.id} KEY=${key.token}`);
};
