"use client";

import { createContext, useContext } from "react";

/** Of the reader, by a cookie that the boot script sets; `undefined` means the zone of this machine. */
export const ReaderZone = createContext<string | undefined>(undefined);

const isServer = typeof window === "undefined";

/** For formats: a browser knows its own zone better than an older cookie. */
export function useReaderZone(): string | undefined {
  const zone = useContext(ReaderZone);
  return isServer ? zone : undefined;
}
