"use client";

import { Download } from "lucide-react";
import { type FormEvent, useState } from "react";
import { fileSize } from "@/app/_data/files/file-words";
import { Button } from "@/app/_ui/button";
import { Input } from "@/app/_ui/fields";
import { ErrorNotice } from "@/app/_ui/notice";
import { Select } from "@/app/_ui/select";
import { SettingsCard, SettingsLine } from "@/app/_ui/settings-section";
import { type Pull, type PullServer, usePull } from "./use-pull";

export function OllamaPull({ servers }: { servers: readonly PullServer[] }) {
  const { pull, start } = usePull();
  if (servers.length === 0 && !pull) return null;
  const isPulling = pull?.event.kind === "progress";
  return (
    <SettingsCard>
      <SettingsLine
        title="Pull a model into Ollama"
        note={
          <>
            By its name at{" "}
            <a
              href="https://ollama.com/library"
              target="_blank"
              rel="noopener noreferrer"
              className="text-accent underline decoration-accent/40 underline-offset-2 hover:decoration-accent"
            >
              ollama.com/library
            </a>
            , such as llama3.2 or gemma3:4b.
          </>
        }
      >
        {!isPulling && servers.length > 0 && (
          <PullForm servers={servers} onPull={(server, model) => void start(server, model)} />
        )}
      </SettingsLine>
      {pull && <PullState pull={pull} onAgain={() => void start(pull.server, pull.model)} />}
    </SettingsCard>
  );
}

interface PullFormProps {
  servers: readonly PullServer[];
  onPull: (server: PullServer, model: string) => void;
}

function PullForm({ servers, onPull }: PullFormProps) {
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(servers[0]?.provider ?? "");
  const server = servers.find(({ provider }) => provider === chosen) ?? servers[0];
  // People paste the whole command.
  const model = typed.trim().replace(/^ollama\s+(?:pull|run)\s+/, "");

  function submit(event: FormEvent) {
    event.preventDefault();
    if (server && model !== "") onPull(server, model);
  }

  return (
    <form onSubmit={submit} className="flex w-full flex-wrap gap-2 sm:w-auto">
      {servers.length > 1 && (
        <Select
          label="Server"
          value={server?.provider ?? null}
          options={servers.map(({ provider, label }) => ({ value: provider, label }))}
          onChange={setChosen}
          className="sm:w-44"
        />
      )}
      <Input
        aria-label="Model to pull"
        placeholder="llama3.2"
        maxLength={220}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="min-w-40 flex-1 sm:w-44"
      />
      <Button type="submit" disabled={model === ""} icon={<Download aria-hidden />}>
        Pull
      </Button>
    </form>
  );
}

function PullState({ pull: { server, model, event, cancel }, onAgain }: PullStateProps) {
  if (event.kind === "failed")
    return (
      <div className="p-4">
        <ErrorNotice onRetry={onAgain}>{event.message}</ErrorNotice>
      </div>
    );
  if (event.kind === "done")
    return (
      <p role="status" className="px-4 py-3 text-sm">
        {model} is ready in {server.label}.
      </p>
    );
  const { completed, total } = event;
  return (
    <SettingsLine
      title={`Pulling ${model}`}
      note={
        <>
          {progressWords(event)}
          <progress
            aria-label={`Pulling ${model}`}
            className="mt-1.5 block h-1.5 w-full accent-accent"
            {...(total > 0 && { value: completed, max: total })}
          />
        </>
      }
    >
      <Button size="sm" onClick={cancel}>
        Cancel
      </Button>
    </SettingsLine>
  );
}

interface PullStateProps {
  pull: Pull;
  onAgain: () => void;
}

function progressWords({ status, completed, total }: Extract<Pull["event"], { kind: "progress" }>) {
  const isLoading = total > 0 && /^(?:pulling|downloading) /.test(status);
  if (isLoading) return `${fileSize(completed)} of ${fileSize(total)}`;
  return status === "" ? "Starting…" : `${status.charAt(0).toUpperCase()}${status.slice(1)}…`;
}
