import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import { type HouseSettingWire, houseNames } from "@/lib/chat/wire/accounts";
import { EveryoneSection } from "./everyone-section";

const usual: Readonly<Record<string, string>> = { GROVE_MAX_FILE_MB: "25", GROVE_BACKUP_KEEP: "7" };

function shown(
  changed: Partial<HouseSettingWire> & { name: string },
  { hasPeople = true }: { hasPeople?: boolean } = {},
): string {
  const house = houseNames.map((name) => ({
    ...{ name, value: null, isFixed: false, usual: usual[name] ?? "" },
    ...(name === changed.name && { ...changed, name }),
  }));
  const people = { people: [], invites: [], environmentKeys: "everyone", limits: null };
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } });
  if (hasPeople) client.setQueryData(["people"], people);
  client.setQueryData(["house"], { house });
  return renderToString(
    <QueryClientProvider client={client}>
      <EveryoneSection hasPeople={hasPeople} />
    </QueryClientProvider>,
  );
}

test("a setting shows its default, and then what an administrator made of it", () => {
  const before = shown({ name: "GROVE_MAX_FILE_MB" });
  expect(before).toContain("25 MB");
  expect(before).not.toContain("Use default: Largest file");
  const after = shown({ name: "GROVE_MAX_FILE_MB", value: "50" });
  expect(after).toContain("50 MB");
  expect(after).toContain("Use default: Largest file");
});

test("a key shows its end, and can be removed", () => {
  expect(shown({ name: "OPENAI_API_KEY" })).not.toContain("Remove the key");
  const set = shown({ name: "OPENAI_API_KEY", value: "c0de" });
  expect(set).toContain("Key ends in c0de");
  expect(set).toContain("Remove the key: OpenAI");
});

test("backups that an administrator turned off are made never", () => {
  const nevers = (value: string) => shown({ name: "GROVE_BACKUP_EVERY", value }).split("Never");
  expect(nevers("0").length).toBe(nevers("1d").length + 1);
});

test("what a variable of the server gives cannot be changed here", () => {
  const page = shown({ name: "GROVE_BACKUP_KEEP", value: "3", isFixed: true });
  expect(page).toContain("3 backups · Set in the server");
  expect(page).not.toContain("Change: Backups to keep");
});

test("one person without accounts finds files, backups and local models, and no other people", () => {
  const page = shown({ name: "GROVE_MAX_FILE_MB", value: "50" }, { hasPeople: false });
  for (const line of ["50 MB", "Back up every", "Detect local model servers"])
    expect(page).toContain(line);
  for (const line of ["everyone", "administrators", "API key"]) expect(page).not.toContain(line);
});
