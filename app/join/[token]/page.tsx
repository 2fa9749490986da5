import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { JoinProject } from "@/app/_features/projects/join-project";
import { identity } from "@/app/identity";
import { invitationOf } from "@/lib/server/members";
import { services } from "@/lib/server/services";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

interface JoinPageProps {
  params: Promise<{ token: string }>;
}

export default async function JoinPage({ params }: JoinPageProps) {
  const { token } = await params;
  const asking = await identity();
  if (!asking || !services().accounts) notFound();
  const found = await invitationOf(services(), asking, token);
  const invitation = found && { project: found.project, by: found.by };
  return <JoinProject token={token} invitation={invitation} />;
}
