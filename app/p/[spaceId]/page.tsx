import type { Metadata } from "next";
import { NewChatPage } from "@/app/_shell/session/new-chat-page";
import { isolated } from "@/app/_ui/isolated";
import { inProject } from "@/app/identity";
import { assertInProject } from "@/app/page-owner";

interface ProjectPageProps {
  params: Promise<{ spaceId: string }>;
}

export async function generateMetadata({ params }: ProjectPageProps): Promise<Metadata> {
  const { spaceId } = await params;
  await assertInProject(spaceId);
  const access = await inProject(spaceId).catch(() => null);
  return access?.project ? { title: isolated(access.project.name) } : {};
}

export default async function ProjectPage({ params }: ProjectPageProps) {
  await assertInProject((await params).spaceId);
  return <NewChatPage />;
}
