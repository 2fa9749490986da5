import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { renderToString } from "react-dom/server";
import { expect, test } from "vitest";
import type { MembersWire, MemberWire } from "@/lib/chat/wire/members";
import type { ProjectWire } from "@/lib/chat/wire/projects";
import { MembersView } from "./members-dialog";

const project: ProjectWire = {
  ...{ id: "p", name: "Tea", icon: null, role: "owner", others: 1, isOnlyOwner: true },
  ...{ createdAt: "2026-01-01T00:00:00.000Z", personalMemory: false },
  ...{ defaultModel: null, defaultAssistant: null },
};
const member = (
  name: string,
  role: MemberWire["role"],
  more: Partial<MemberWire> = {},
): MemberWire => ({
  ...{ id: name, name, role, email: null, since: project.createdAt, isYou: false },
  ...more,
});
const invitation = { id: "i", role: "reader" as const, createdAt: project.createdAt };

function shown(given: Partial<ProjectWire>, members: MembersWire): string {
  return renderToString(
    <QueryClientProvider client={new QueryClient()}>
      <MembersView project={{ ...project, ...given }} {...members} onAdd={() => undefined} />
    </QueryClientProvider>,
  );
}

const buttons = (page: string) =>
  [...page.matchAll(/<button[^>]*>(.*?)<\/button>/g)].map(([, words = ""]) =>
    words.replace(/<[^>]*>/g, ""),
  );

test("an owner removes others, makes one the owner, invites, and stops links", () => {
  const page = shown(
    {},
    {
      members: [
        member("Ada", "owner", { isYou: true, email: "ada@example.org" }),
        member("Bo", "reader", { email: "bo@example.org" }),
      ],
      invitations: [{ ...invitation, endsAt: "2026-01-08T00:00:00.000Z" }],
    },
  );
  expect(buttons(page)).toEqual(["Hand over", "Remove", "Make a link", "Add by e-mail", "Stop"]);
  expect(page).toContain("bo@example.org");
});

test("a reader sees who is there, and may leave", () => {
  const members = [member("Ada", "owner"), member("Bo", "reader", { isYou: true })];
  const page = shown({ role: "reader", isOnlyOwner: false }, { members, invitations: [] });
  expect(buttons(page)).toEqual(["Leave"]);
  expect(page).toContain("Ada");
});
