import { goElsewhere } from "@/server/catalogue";

/** Any other address: the catalogue may redirect it, for instance from the addresses of an older shop. */
export default async function Elsewhere({ params }: { params: Promise<{ path: string[] }> }) {
  return goElsewhere(`/${(await params).path.join("/")}`);
}
