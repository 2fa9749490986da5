"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { ChartColumn } from "lucide-react";
import Link from "next/link";
import { useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { api } from "@/app/_api/api";
import { Failure } from "@/app/_api/failure";
import { queryKeys } from "@/app/_api/query-keys";
import { useModelName } from "@/app/_data/models/use-models";
import { sessionAddress } from "@/app/_data/search/search-addresses";
import { sessionTitle } from "@/app/_data/sessions/session-title";
import { Button } from "@/app/_ui/button";
import { countOf, formatCount } from "@/app/_ui/format-amount";
import { isolated } from "@/app/_ui/isolated";
import { Skeleton } from "@/app/_ui/loading";
import { EmptyState } from "@/app/_ui/notice";
import { inSpace } from "@/app/_ui/page-space";
import { ownZone } from "@/app/_ui/reader-day";
import { Segmented } from "@/app/_ui/toggles";
import type { UsageWire } from "@/lib/chat/wire/usage";
import { barLabel, usageBars } from "./usage-bars";
import { UsageChart } from "./usage-chart";
import { UsageTable } from "./usage-table";
import { costWords, type Measure, tokenWords, type UsageRangeId, usageRanges } from "./usage-words";

const kindNames = {
  answer: "Answers",
  summary: "Summaries and notes",
  title: "Titles",
  embedding: "Embeddings",
} as const;
const spanNames = { day: "Day", week: "Week", month: "Month" } as const;

export function UsageView({ range }: { range: UsageRangeId }) {
  const router = useRouter();
  const [measure, setMeasure] = useState<Measure>("tokens");
  const days = usageRanges.find(({ id }) => id === range)?.days ?? null;
  const usage = useUsage(days);
  return (
    <div className="min-h-0 flex-1 overflow-y-auto [scrollbar-gutter:stable]">
      <div className="mx-auto flex max-w-4xl flex-col gap-8 px-4 pt-6 pb-16 sm:px-6">
        <div className="flex flex-wrap items-center gap-3">
          <div className="w-72 max-w-full">
            <Segmented
              label="Range"
              value={range}
              onChange={(next) => router.replace(`/usage?range=${next}`, { scroll: false })}
              options={usageRanges.map(({ id, label }) => ({ value: id, label }))}
            />
          </div>
          <div className="w-36">
            <Segmented
              label="Measure"
              value={measure}
              onChange={setMeasure}
              options={[
                { value: "tokens", label: "Tokens" },
                { value: "cost", label: "Cost" },
              ]}
            />
          </div>
        </div>
        {usage.data ? (
          <Usage usage={usage.data} range={range} measure={measure} />
        ) : usage.isError ? (
          <Failure of={usage} />
        ) : (
          <div role="status" aria-label="Loading usage" className="flex flex-col gap-4">
            <Skeleton className="h-16 w-full rounded-xl" />
            <Skeleton className="h-56 w-full rounded-xl" />
          </div>
        )}
      </div>
    </div>
  );
}

interface UsageProps {
  usage: UsageWire;
  range: UsageRangeId;
  measure: Measure;
}

function Usage({ usage, range, measure }: UsageProps) {
  const nameOf = useModelName();
  if (usage.total.calls === 0) return <NothingUsed range={range} />;
  const { models, sessions, projects, kinds } = usage;
  return (
    <>
      <Total usage={usage} />
      <OverTime usage={usage} measure={measure} />
      <Part title="By model">
        <UsageTable
          caption="Usage by model"
          of="Model"
          measure={measure}
          rows={models.map((row) => ({ ...row, id: row.model, name: nameOf(row.model) }))}
        />
      </Part>
      <Part title="By chat">
        <p className="max-w-prose text-muted text-xs">Includes summaries and titles.</p>
        <UsageTable
          caption="Usage by chat"
          of="Chat"
          measure={measure}
          rows={sessions.map((row) => ({
            ...row,
            id: row.sessionId,
            name: <SessionName {...row} />,
          }))}
        />
      </Part>
      {projects.length > 0 && (
        <Part title="By project">
          <UsageTable
            caption="Usage by project"
            of="Project"
            measure={measure}
            rows={projects.map((row) => ({
              ...row,
              id: row.projectId,
              name: <ProjectName {...row} />,
            }))}
          />
        </Part>
      )}
      <Part title="By purpose">
        <UsageTable
          caption="Usage by purpose"
          of="Purpose"
          measure={measure}
          rows={kinds.map((row) => ({ ...row, id: row.kind, name: kindNames[row.kind] }))}
        />
      </Part>
    </>
  );
}

function Total({ usage: { total, timeZone } }: { usage: UsageWire }) {
  const facts = [
    ["Tokens", tokenWords(total)],
    ["Input", formatCount(total.inputTokens)],
    ["Output", formatCount(total.outputTokens)],
    ["Cost", costWords(total)],
  ] as const;
  return (
    <section aria-label="Total" className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
        {facts.map(([name, value]) => (
          <div key={name} className="rounded-xl border border-line bg-raised px-4 py-3">
            <dt className="text-faint text-xs">{name}</dt>
            <dd className="font-semibold text-lg tabular-nums tracking-tight">{value}</dd>
          </div>
        ))}
      </dl>
      <p className="max-w-prose text-muted text-xs">
        {notes(total).join(" ")} Dates in {timeZone}.
      </p>
    </section>
  );
}

function notes(total: UsageWire["total"]): string[] {
  const cached =
    total.cachedTokens > 0
      ? [`${formatCount(total.cachedTokens)} input tokens came from the provider's cache.`]
      : [];
  const estimated =
    total.estimatedCalls > 0
      ? [
          `≈ includes estimates for ${countOf(total.estimatedCalls, "request")} the provider didn't report, such as stopped ones.`,
        ]
      : [];
  const unpriced =
    total.unpricedCalls > 0
      ? [
          `The cost excludes ${countOf(total.unpricedCalls, "request")} without a known price. Add prices in Settings for future requests.`,
        ]
      : [];
  return [...cached, ...estimated, ...unpriced];
}

function OverTime({ usage, measure }: { usage: UsageWire; measure: Measure }) {
  const [asTable, setAsTable] = useState(false);
  const { bars, span } = usageBars(usage);
  return (
    <Part
      title={`By ${span}`}
      action={
        <Button size="sm" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
          {asTable ? "Show chart" : "Show table"}
        </Button>
      }
    >
      {asTable ? (
        <UsageTable
          caption={`Usage by ${span}`}
          of={spanNames[span]}
          measure={measure}
          rows={bars
            .filter(({ calls }) => calls > 0)
            .toReversed()
            .map((bar) => ({ ...bar, id: bar.from, name: barLabel(bar, span) }))}
        />
      ) : (
        <div className="rounded-xl border border-line bg-raised px-3 pt-5 pb-3">
          <UsageChart key={`${span} ${bars.length}`} bars={bars} span={span} measure={measure} />
          {measure === "tokens" && (
            <p className="flex gap-4 pt-2 pl-14 text-muted text-xs">
              <span className="flex items-center gap-1.5">
                <span aria-hidden className="size-2.5 rounded-xs bg-accent/45" /> Input
              </span>
              <span className="flex items-center gap-1.5">
                <span aria-hidden className="size-2.5 rounded-xs bg-accent" /> Output
              </span>
            </p>
          )}
        </div>
      )}
    </Part>
  );
}

function Part({
  title,
  action,
  children,
}: {
  title: string;
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="flex flex-col gap-3">
      <div className="flex min-h-8 items-end justify-between gap-3">
        <h2 className="font-medium text-base">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

function SessionName({ sessionId, title }: { sessionId: string; title: string | null }) {
  if (title === null) return <span className="text-muted">Deleted chat</span>;
  return (
    <Link href={sessionAddress(sessionId)} className={nameLink}>
      {sessionTitle({ title })}
    </Link>
  );
}

function ProjectName({ projectId, name }: UsageWire["projects"][number]) {
  if (name === null) return <span className="text-muted">Deleted project</span>;
  return (
    <a href={inSpace("/", projectId)} className={nameLink}>
      {isolated(name)}
    </a>
  );
}

const nameLink = "underline decoration-edge underline-offset-2 hover:decoration-ink";

function NothingUsed({ range }: { range: UsageRangeId }) {
  return (
    <EmptyState
      icon={<ChartColumn aria-hidden />}
      title={range === "all" ? "No usage yet" : "No usage in this period"}
      action={
        <Button asChild>
          <Link href="/">New chat</Link>
        </Button>
      }
    >
      Tokens and cost of every answer, summary and title, by day, model and chat.
    </EmptyState>
  );
}

/** `null` reads all days, in this device's time zone. */
function useUsage(days: number | null) {
  return useQuery({
    queryKey: queryKeys.usageOf(days),
    queryFn: ({ signal }) => {
      const tz = ownZone();
      return api("GET /api/usage", { query: { days, tz }, signal });
    },
    placeholderData: keepPreviousData,
  });
}
