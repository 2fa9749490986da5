import { isDatabaseAway } from "@/lib/chat/core/database-away";
import type { OwnerData } from "@/lib/chat/core/owner-data";
import {
  asPerson,
  inOwnSpace,
  isOwnSpace,
  isTemporarySpace,
  type PersonId,
  type PersonInSpace,
  placeOf,
  type SpaceId,
} from "@/lib/chat/core/person-in-space";
import { RecentMap } from "@/lib/chat/core/recent-map";
import { exampleModel } from "@/lib/chat/data/example/conversation";
import { makeExample } from "@/lib/chat/data/example/make-example";
import type { Models } from "@/lib/chat/settings/models";
import packageJson from "@/package.json" with { type: "json" };
import { logFailure } from "./log";
import { onceUntilFailure } from "./once-until-failure";
import type { OwnerServices } from "./owner-services";

export interface Owners {
  acting(who: PersonInSpace): OwnerServices;
  /** @param personId `null`: the person of the space. */
  dataOf(spaceId: SpaceId, personId: string | null): OwnerData;
  spaceIds(): ReadonlySet<SpaceId>;
  forgetTools(personId: PersonId): void;
}

const mostOwners = 500;

export function makeOwners(make: (who: PersonInSpace) => OwnerServices): Owners {
  const made = new RecentMap<string, OwnerServices>({ most: mostOwners });
  const acting = ({ personId, spaceId }: PersonInSpace) => {
    const key = JSON.stringify([personId, spaceId]);
    const known = made.get(key);
    const found = known ?? withOwn(make({ personId, spaceId }));
    made.set(key, found);
    return found;
  };
  // Temporary chats are the person's everywhere, but for what programs do not keep.
  const withOwn = (made: OwnerServices): OwnerServices => {
    if (isOwnSpace(made)) return made;
    const own = acting(inOwnSpace(made.personId));
    const personal = { isOn: false, own, parts: made.personalParts };
    return { ...made, temporaryChats: own.temporaryChats, personal };
  };
  return {
    acting,
    dataOf: (spaceId, personId) => {
      const place = placeOf(spaceId);
      const owner = acting({ personId: asPerson(personId ?? place), spaceId: place });
      return isTemporarySpace(spaceId) ? owner.temporary : owner;
    },
    spaceIds: () => new Set([...made.values()].map(({ spaceId }) => spaceId)),
    forgetTools: (personId) => {
      for (const owner of made.values()) if (owner.personId === personId) owner.tools.forget();
    },
  };
}

export function makeFirstExamples(models: Models): (owner: OwnerServices) => Promise<void> {
  const uses = new RecentMap<PersonId, () => Promise<void>>({ most: mostOwners });
  return async (owner) => {
    const use = uses.get(owner.personId) ?? onceUntilFailure(() => makeFirstExample(owner, models));
    uses.set(owner.personId, use);
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
