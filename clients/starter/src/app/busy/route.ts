import { waitingPage } from "@/parts/waiting";
import { texts } from "@/texts/texts";

/** Where a page goes that cartd has refused because of a limit: a page cannot answer 429, this can. */
export async function GET(request: Request): Promise<Response> {
  const to = new URL(request.url).searchParams.get("to") ?? "/";
  return waitingPage((await texts()).language, /^\/(?![/\\])/.test(to) ? to : "/");
}
