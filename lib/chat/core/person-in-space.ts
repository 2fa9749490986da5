import { namespaceKey } from "grove-session/ports";

declare const named: unique symbol;

/** The owner id of a person's own space, everywhere outside accounts; never `account_user.id`. */
export type PersonId = string & { readonly [named]: "person" };

/** An owner id as the place of rows: a person's own space, or that of their temporary chats. */
export type SpaceId = string & { readonly [named]: "space" };

/** Limits, settings, models, tools and keys are the person's; chats, blocks, files and runs the space's. */
export interface PersonInSpace {
  readonly personId: PersonId;
  readonly spaceId: SpaceId;
}

/** Only for an id that sign-in, a key, a run or the installation gives. */
export function asPerson(ownerId: string): PersonId {
  return ownerId as PersonId;
}

/** Only for the owner id of a row, of an event, or of the installation. */
export function asSpace(ownerId: string): SpaceId {
  return ownerId as SpaceId;
}

/** The person without accounts, whose data the first account may take over. */
export const localPersonId = asPerson("local");

export function inOwnSpace(personId: PersonId): PersonInSpace {
  return { personId, spaceId: asSpace(personId) };
}

export function isOwnSpace({ personId, spaceId }: PersonInSpace): boolean {
  return inOwnSpace(personId).spaceId === spaceId;
}

export const temporaryNamespace = "temporary";
export const temporaryEnd = namespaceKey("", temporaryNamespace);

export function temporarySpace(place: PersonId | SpaceId): SpaceId {
  return asSpace(namespaceKey(place, temporaryNamespace));
}

export function isTemporarySpace(spaceId: SpaceId): boolean {
  return spaceId.endsWith(temporaryEnd);
}

/** The space that one of temporary chats belongs to; any other is its own. */
export function placeOf(spaceId: SpaceId): SpaceId {
  return isTemporarySpace(spaceId) ? asSpace(spaceId.slice(0, -temporaryEnd.length)) : spaceId;
}

/** Every space is one person's, whose id it carries. */
export function personInSpace(spaceId: SpaceId): PersonInSpace {
  return { personId: asPerson(placeOf(spaceId)), spaceId };
}
