import "server-only";
import { asSpace, inOwnSpace, type PersonInSpace } from "@/lib/chat/core/person-in-space";
import { searchEverything } from "@/lib/chat/sessions/search";
import { askedProject } from "@/lib/chat/wire/asked-project";
import type { ElsewhereWire, PlaceFoundWire } from "@/lib/chat/wire/search";
import { logFailure } from "./log";
import type { Services } from "./services";

/** Two statements each, so that one person asks for at most four at once. */
const placesAtOnce = 2;
const mostPlaces = 100;
const hitsOfPlace = 4;

type PlaceShown = Pick<PlaceFoundWire, "space" | "name">;

export async function searchElsewhere(
  services: Pick<Services, "projects" | "acting">,
  { personId, spaceId }: PersonInSpace,
  { input, signal }: { input: string; signal: AbortSignal },
): Promise<ElsewhereWire> {
  const { project, line } = askedProject(input);
  const projects = (await services.projects.list(personId)).toReversed();
  const own = inOwnSpace(personId).spaceId;
  const all: PlaceShown[] = [
    ...(project === null ? [{ space: null, name: null }] : []),
    ...projects.map(({ id, name }) => ({ space: id, name })),
  ];
  const asked = all.filter(({ space, name }) =>
    project === null ? (space ?? own) !== spaceId : isCalled(name, project),
  );
  if (project !== null && line === "")
    return { places: [], problems: ["Add a word to search for, as in “kettle project:shop”."] };
  const found = new Map<PlaceShown, PlaceFoundWire>();
  const problems = new Set<string>();
  const waiting = asked.slice(0, mostPlaces);
  const places = waiting.values();
  const searchPlaces = async () => {
    for (const place of places) {
      signal.throwIfAborted();
      const who =
        place.space === null ? inOwnSpace(personId) : { personId, spaceId: asSpace(place.space) };
      try {
        const {
          hits,
          sessions,
          problems: ofLine,
        } = await searchEverything(services.acting(who), {
          ...{ input: line, sessionId: null, limit: hitsOfPlace, chatsOnly: true, signal },
        });
        const titles = sessions.slice(0, hitsOfPlace);
        if (project !== null) for (const problem of ofLine) problems.add(problem);
        if (hits.length + titles.length > 0) found.set(place, { ...place, hits, sessions: titles });
      } catch (error) {
        if (signal.aborted) throw error;
        logFailure("Searching another place of a person", error);
        problems.add(
          `${place.name === null ? "Your own chats" : `“${place.name}”`} could not be searched.`,
        );
      }
    }
  };
  await Promise.all(Array.from({ length: placesAtOnce }, searchPlaces));
  if (project !== null && asked.length === 0) problems.add(`No project is called “${project}”.`);
  if (asked.length > mostPlaces)
    problems.add(
      `Only the ${mostPlaces} newest of ${asked.length} projects were searched. project:name searches one.`,
    );
  return { places: waiting.flatMap((place) => found.get(place) ?? []), problems: [...problems] };
}

function isCalled(name: string | null, asked: string): boolean {
  return name?.toLowerCase().includes(asked.toLowerCase()) ?? false;
}
