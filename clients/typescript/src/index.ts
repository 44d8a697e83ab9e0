export type { components, operations, paths } from "./api.js";
export { codes, type Blocked, type Code, type ErrorCode, type Failure, type Limited } from "./failure.js";
export type { Refused, RefusalBody, Unavailable, Unchanged, Unknown } from "./failure.js";
export { formatMoney, type Money } from "./money.js";
export type { Input, Method, PathOf, Success } from "./operation.js";
export { withoutKey } from "./retry.js";
export type { CartAnswer, Watching } from "./watch.js";
export { Shop, type Answer, type Result, type ShopOptions } from "./shop.js";
