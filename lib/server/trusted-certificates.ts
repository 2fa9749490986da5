import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";

/** Node reads `NODE_EXTRA_CA_CERTS` itself, and OpenSSL's own variables only with a flag. */
export function trustCertificates(
  { SSL_CERT_FILE: file, SSL_CERT_DIR: folder }: Readonly<Record<string, string | undefined>>,
  onFailure: (error: unknown) => void,
): void {
  try {
    const files = [...(file ? [file] : []), ...(folder ? filesIn(folder) : [])];
    const read = files.flatMap((path) => certificatesIn(readFileSync(path, "utf8")));
    if (read.length > 0) setDefaultCACertificates([...getCACertificates("default"), ...read]);
  } catch (error) {
    onFailure(error);
  }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [] : [join(folder, entry.name)],
  );
}

function certificatesIn(text: string): string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}
