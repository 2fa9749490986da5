"use client";

import { BookOpen, CircleAlert, NotebookPen, Search, Wrench } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { fileAddress } from "@/app/_data/files/file-words";
import { Button } from "@/app/_ui/button";
import { classNames } from "@/app/_ui/class-names";
import { Fold } from "@/app/_ui/fold";
import { formatCount } from "@/app/_ui/format-amount";
import { scrollable } from "@/app/_ui/markdown/scrollable";
import { useKeptState } from "@/app/_ui/use-kept-state";
import { useSpace } from "@/app/_ui/use-space";
import { namedPages } from "@/lib/chat/wire/knowledge";
import type { ShownCall, ToolFile } from "./message-parts";
import { ReadableValue } from "./readable-value";
import { callWords, outputWords, readable, tookWords, toolWords } from "./tool-words";

const NamedPages = dynamic(() => import("./files/cited-page").then((part) => part.NamedPages));

const MAX_SHOWN_LENGTH = 20_000;

export interface ToolLineProps {
  readonly call: ShownCall;
  readonly stateKey: string;
}

export function ToolLine({ call, stateKey }: ToolLineProps) {
  const [isOpen, setIsOpen] = useKeptState(stateKey, false);
  const { verb, object } = toolWords(call);
  const { argument, outcome } = callWords(call);
  const isRunning = call.state === "running";
  return (
    <Fold
      className="my-2"
      isOpen={isOpen}
      onToggle={setIsOpen}
      chevron="end"
      summary={
        <>
          <ToolIcon call={call} />
          <span className={classNames("truncate", isRunning && "animate-breathe")}>
            {verb !== "" && `${verb} `}
            <span className="font-medium">{object}</span>
            {argument !== "" && (
              <>
                {" "}
                <bdi className="ml-1 font-mono text-sm">{argument}</bdi>
              </>
            )}
            {call.progress && <span className="text-faint"> · {call.progress}</span>}
          </span>
          {(outcome !== "" || call.tookMs !== undefined) && (
            <span className="max-w-2/5 shrink-0 truncate text-faint text-xs tabular-nums">
              <bdi>{outcome}</bdi>
              {call.tookMs !== undefined &&
                `${outcome === "" ? "" : " · "}${tookWords(call.tookMs)}`}
            </span>
          )}
        </>
      }
    >
      <ToolDetails call={call} />
    </Fold>
  );
}

function ToolIcon({ call }: { call: ShownCall }) {
  const Icon = call.state === "failed" ? CircleAlert : iconOf(call.name);
  return (
    <Icon
      aria-hidden
      className={`size-4 shrink-0 ${call.state === "failed" ? "text-danger" : "text-faint"}`}
    />
  );
}

function iconOf(name: string) {
  if (name === "set_context") return NotebookPen;
  if (name.includes("search")) return Search;
  return name.endsWith("load_context") ? BookOpen : Wrench;
}

function ToolDetails({ call }: { call: ShownCall }) {
  const [isJson, setIsJson] = useState(false);
  const pages = namedPages(call.output);
  const output = call.errorText ?? (pages.length > 0 ? "" : outputWords(call));
  return (
    <div className="mt-1 mb-3 flex flex-col items-start gap-3 border-line border-l-2 pl-4">
      <dl className="flex w-full flex-col gap-3">
        <div>
          <dt className="text-faint text-xs">Input</dt>
          <dd className="mt-0.5">
            <ReadableValue value={isJson ? readable(call.input) : call.input} />
          </dd>
        </div>
        {call.reason !== undefined && <Detail name="Reason" text={call.reason} />}
        {isJson && call.output !== undefined && (
          <Detail name="Output" text={readable(call.output)} />
        )}
        {call.files?.map((file) => (
          <ToolFileLine key={file.sha256 ?? file.name} file={file} />
        ))}
        {!isJson && pages.length > 0 && (
          <div>
            <dt className="text-faint text-xs">Output</dt>
            <dd className="mt-0.5">
              <NamedPages pages={pages} />
            </dd>
          </div>
        )}
        {!isJson && output !== "" && (
          <Detail name={call.errorText ? "Error" : "Output"} text={output} />
        )}
      </dl>
      <Button
        size="sm"
        variant="ghost"
        className="-ml-2.5 text-xs"
        aria-pressed={isJson}
        onClick={() => setIsJson(!isJson)}
      >
        JSON
      </Button>
    </div>
  );
}

/** A tool's file comes from Grove's own store, never from elsewhere. */
function ToolFileLine({ file: { name, mediaType, sha256 } }: { file: ToolFile }) {
  const address = fileAddress({ sha256: sha256 ?? "" }, useSpace());
  return (
    <div>
      <dt className="text-faint text-xs">
        {name} ({mediaType})
      </dt>
      <dd className="mt-0.5">
        {sha256 === null ? (
          <span className="text-muted text-sm">It could not be kept.</span>
        ) : isImage(mediaType) ? (
          // biome-ignore lint/performance/noImgElement: a file of the person, served by Grove
          <img src={address} alt={name} className="max-h-72 max-w-full rounded-md" />
        ) : (
          <a href={address} download={name} className="text-accent text-sm underline">
            Download
          </a>
        )}
      </dd>
    </div>
  );
}

function isImage(mediaType: string): boolean {
  return /^image\/(png|jpeg|gif|webp)$/.test(mediaType);
}

function Detail({ name, text }: { name: string; text: string }) {
  const isCut = text.length > MAX_SHOWN_LENGTH;
  const shown = isCut ? text.slice(0, MAX_SHOWN_LENGTH) : text;
  return (
    <div>
      <dt className="text-faint text-xs">{name}</dt>
      <dd>
        <pre
          {...scrollable}
          className="wrap-anywhere mt-0.5 max-h-72 overflow-auto whitespace-pre-wrap font-mono text-sm"
        >
          {shown.isWellFormed() ? shown : shown.slice(0, -1)}
        </pre>
        {isCut && (
          <p className="text-faint text-xs tabular-nums">
            {`The first ${formatCount(MAX_SHOWN_LENGTH)} of ${formatCount(text.length)} characters are shown here.`}
          </p>
        )}
      </dd>
    </div>
  );
}
