"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/app/_api/api";
import { Failure } from "@/app/_api/failure";
import { ConfirmPerson, whenConfirmed } from "@/app/_data/accounts/confirm-person";
import { useProjects } from "@/app/_data/projects/use-projects";
import { Button } from "@/app/_ui/button";
import { isolated } from "@/app/_ui/isolated";
import { Logo } from "@/app/_ui/logo";
import type { McpScope } from "@/lib/chat/wire/keys";
import { McpScopeFields } from "./mcp-scope-fields";
import { PlaceField, usePlaceName } from "./place-field";

interface ConnectAppProps {
  /** Name, and host that the person returns to. `null`: unknown. */
  readonly app: { readonly name: string; readonly back: string } | null;
  readonly query: string;
  /** A project, or with `null` the person's own chats, where the app was let in before. */
  readonly place?: string | null;
}

const firstChoices: readonly McpScope[] = [
  "memory:read",
  "memory:propose",
  "chats:search",
  "chats:read",
  "skills:read",
];

export function ConnectApp({ app, ...asked }: ConnectAppProps) {
  return (
    <main id="main" className="flex min-h-dvh flex-col items-center px-4 py-10 sm:justify-center">
      <div className="flex w-full max-w-md flex-col gap-5">
        <div className="flex items-center gap-2">
          <Logo className="size-5.5 text-accent" />
          <span className="font-semibold text-base tracking-tight">Grove</span>
        </div>
        {app ? <Consent app={app} {...asked} /> : <Unknown />}
      </div>
    </main>
  );
}

function Unknown() {
  return (
    <>
      <h1 className="font-semibold text-2xl tracking-tight">This app is unknown</h1>
      <p className="text-muted text-sm">Connect it again, from the app.</p>
    </>
  );
}

type ConsentProps = ConnectAppProps & { readonly app: NonNullable<ConnectAppProps["app"]> };

function Consent({ app, query, place }: ConsentProps) {
  const [mcp, setMcp] = useState(firstChoices);
  const [space, setSpace] = useState(place ?? null);
  const projects = useProjects();
  const placeName = usePlaceName(space);
  const deciding = useMutation({
    mutationFn: (chosen: readonly McpScope[]) =>
      whenConfirmed(() =>
        api("POST /api/account/apps", { body: { query, mcp: [...chosen], space } }),
      ),
    onSuccess: ({ page }) => location.assign(page),
  });
  const isDone = deciding.isPending || deciding.isSuccess;
  return (
    <>
      <div>
        <h1 className="font-semibold text-2xl tracking-tight">Connect {isolated(app.name)}?</h1>
        <p className="mt-1.5 text-muted text-sm">
          An app that gives this name, and takes you back to {isolated(app.back)}, asks to use your
          Grove. Allow it only if you started this. You can revoke it in Settings, API keys.
        </p>
      </div>
      {place === undefined ? (
        <PlaceField space={space} onChange={setSpace} />
      ) : (
        <p className="text-sm">
          Its place is {placeName ?? "My chats"}, as before. For another one, revoke it first.
        </p>
      )}
      <Failure of={projects} />
      <McpScopeFields scopes={mcp} onChange={setMcp} />
      <Failure of={deciding} />
      <div className="flex gap-2">
        <Button
          variant="primary"
          disabled={isDone || mcp.length === 0 || !projects.data}
          onClick={() => deciding.mutate(mcp)}
        >
          Allow
        </Button>
        <Button disabled={isDone} onClick={() => deciding.mutate([])}>
          Refuse
        </Button>
      </div>
      <ConfirmPerson />
    </>
  );
}
