import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { WelcomeForm } from "@/app/_features/accounts/welcome-form";
import { services } from "@/lib/server/services";

export const metadata: Metadata = { title: "Welcome" };

export default function WelcomePage() {
  if (!services().accounts) notFound();
  return <WelcomeForm />;
}
