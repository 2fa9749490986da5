import { isDatabaseAway } from "@/lib/chat/core/database-away";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import { RecentMap } from "@/lib/chat/core/recent-map";
import { exampleModel } from "@/lib/chat/data/example/conversation";
import { makeExample } from "@/lib/chat/data/example/make-example";
import type { Models } from "@/lib/chat/settings/models";
import packageJson from "@/package.json" with { type: "json" };
import { logFailure } from "./log";
import { onceUntilFailure } from "./once-until-failure";
import { type OwnerServices, ownerOfTemporary } from "./owner-services";

export interface Owners {
  owner(ownerId: string): OwnerServices;
  /** Temporary sessions have an owner id of their own. */
  dataOf(ownerId: string): OwnerData;
  ownerIds(): Iterable<string>;
  forgetTools(ownerId: string): void;
}

const mostOwners = 500;

export function makeOwners(make: (ownerId: string) => OwnerServices): Owners {
  const made = new RecentMap<string, OwnerServices>({ most: mostOwners });
  const owner = (ownerId: string) => {
    const known = made.get(ownerId) ?? make(ownerId);
    made.set(ownerId, known);
    return known;
  };
  return {
    owner,
    dataOf: (ownerId) => {
      const ofTemporary = ownerOfTemporary(ownerId);
      return ofTemporary === null ? owner(ownerId) : owner(ofTemporary).temporary;
    },
    ownerIds: () => made.keys(),
    forgetTools: (ownerId) => made.get(ownerId)?.tools.forget(),
  };
}

export function makeFirstExamples(models: Models): (owner: OwnerServices) => Promise<void> {
  const uses = new RecentMap<string, () => Promise<void>>({ most: mostOwners });
  return async (owner) => {
    const use = uses.get(owner.ownerId) ?? onceUntilFailure(() => makeFirstExample(owner, models));
    uses.set(owner.ownerId, use);
    await use().catch((error: unknown) => {
      if (isDatabaseAway(error)) throw error;
      logFailure("Making the example session", error);
    });
  };
}

async function makeFirstExample(owner: OwnerServices, models: Models): Promise<void> {
  const settings = await owner.settings.read();
  if (settings.exampleMade === true) return;
  const { info } = await models.choose(owner, exampleModel);
  await makeExample(owner, info);
  // Release notes are for people who knew the version before.
  await owner.settings.change({ exampleMade: true, seenVersion: packageJson.version });
}
