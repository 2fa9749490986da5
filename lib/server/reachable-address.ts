import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { AccountError } from "@/lib/accounts/account-error";
import { isPublicAddress } from "@/lib/chat/web/public-address";
import type { Identity } from "./owner-of";

/**
 * Lets members enter public addresses only: the server reaches machines in its own network that they do not. Says so
 * where it is entered; `ownerFetch` checks each request.
 *
 * @throws {AccountError} `not-allowed`.
 */
export async function assertMayReach(
  { person }: Identity,
  address: string | null | undefined,
): Promise<void> {
  if (person?.role !== "member" || !address) return;
  const host = new URL(address).hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) ? [{ address: host }] : await addressesOf(host);
  if (found.length > 0 && found.every((each) => isPublicAddress(each.address))) return;
  throw new AccountError(
    "not-allowed",
    `${host} is not a public address. Only administrators of this Grove can enter addresses in its own network.`,
  );
}

/** None of a name that is unknown. */
function addressesOf(host: string): Promise<{ address: string }[]> {
  return lookup(host, { all: true }).catch(() => []);
}
