import type { OwnerTool } from "./tool-source";

/** A tool as it described itself when the person allowed it; without versions, `version` is empty. */
export interface Consent {
  readonly tool: string;
  readonly version: string;
}

/** Tools that the person allowed for a whole chat. Written by the person's decision about a call, and by nothing else. */
export interface ConsentStore {
  list(sessionId: string): Promise<readonly Consent[]>;
  allow(sessionId: string, consent: Consent): Promise<void>;
}

export function isAllowedBy(
  consents: readonly Consent[],
  { name, version = "" }: Pick<OwnerTool, "name" | "version">,
): boolean {
  return consents.some((consent) => consent.tool === name && consent.version === version);
}
