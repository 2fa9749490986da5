import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { SignInForm } from "@/app/_features/accounts/sign-in-form";
import { signInProblem } from "@/app/_features/accounts/sign-in-problem";
import { services } from "@/lib/server/services";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  searchParams: Promise<{ next?: string | string[]; error?: string | string[] }>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next, error } = await searchParams;
  const { accounts } = services();
  if (!accounts) notFound();
  const providers = accounts.providers.map(({ id, name }) => ({ id, name }));
  // Signing in reports an absent database itself.
  const isFirst = !(await accounts.store.canAnybodySignIn().catch(() => true));
  return (
    <SignInForm
      next={typeof next === "string" ? next : null}
      problem={typeof error === "string" ? signInProblem(error) : null}
      providers={providers}
      isFirst={isFirst}
    />
  );
}
