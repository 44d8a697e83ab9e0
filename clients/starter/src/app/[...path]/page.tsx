import type { Metadata } from "next";
import { goElsewhere } from "@/server/catalogue";

interface Props {
  params: Promise<{ path: string[] }>;
}

const elsewhere = async ({ params }: Props) => goElsewhere(`/${(await params).path.join("/")}`);

/** The title is that of the page of 404, if the path leads nowhere. */
export async function generateMetadata(props: Props): Promise<Metadata> {
  return elsewhere(props);
}

/** Any other address: the catalogue may redirect it, for instance from the addresses of an older shop. */
export default async function Elsewhere(props: Props) {
  return elsewhere(props);
}
