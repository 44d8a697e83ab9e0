"use client";
import { createContext, use, useState, type ReactNode } from "react";

const Chosen = createContext<{ variant: string | null; choose: (variant: string | null) => void }>({ variant: null, choose: () => {} });

/** Around the parts of a product's page that follow the variant which is chosen in its form: the pictures and the price. */
export function Choosing({ children }: { children: ReactNode }) {
  const [variant, choose] = useState<string | null>(null);
  return <Chosen value={{ variant, choose }}>{children}</Chosen>;
}

export const useChosen = () => use(Chosen);

/** The price of the chosen variant; until one is chosen, that of the product. */
export function ChosenPrice({ of, children }: { of: Record<string, ReactNode>; children: ReactNode }) {
  return <div aria-live="polite">{of[useChosen().variant ?? ""] ?? children}</div>;
}
