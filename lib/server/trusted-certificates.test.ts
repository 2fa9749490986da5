import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { trustCertificates } from "./trusted-certificates";

/** Of `localhost`, valid until 2126, and made for this test alone. */
const own = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBmzCCAUGgAwIBAgIUPn+lYZP0u7+iaesM2RN9RK/eC8kwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODE5NDEwNFoYDzIxMjYxMTA0
MTk0MTA0WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAT98dpQmgUpoiI85YJGSjlx+UCOWkx7VOBzX8lrwgb7rG9mJB+UTZs1
Pm34iGftuNz8hC52yLMQdrgN4Lps7oDeo28wbTAdBgNVHQ4EFgQU9FaJdP/ad4PV
SgPr7rEH1PHSiXYwHwYDVR0jBBgwFoAU9FaJdP/ad4PVSgPr7rEH1PHSiXYwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSAAwRQIhAPqkpzAplbFh06izwrTxpC0REh1QuVO0bi3fjsRsEVADAiB+
Xb3MORL6xaebC0mOe3DyDXYB4iUtonFLgoBtnxb9YQ==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgazd7N0o4p6fdvl0t
hyF6imwOWnsrMduKivbjvQK6fRyhRANCAAT98dpQmgUpoiI85YJGSjlx+UCOWkx7
VOBzX8lrwgb7rG9mJB+UTZs1Pm34iGftuNz8hC52yLMQdrgN4Lps7oDe
-----END PRIVATE KEY-----
`,
};

async function officeServer() {
  const before = getCACertificates("default");
  onTestFinished(() => setDefaultCACertificates(before));
  const server = createServer(own, (_, response) => response.end("Hello"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const folder = await mkdtemp(join(tmpdir(), "grove-certificates-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "office.pem"), `The office\n${own.cert}`);
  const hello = async () => (await fetch(`https://localhost:${port}/`)).text();
  return { folder, hello };
}

test("servers with certificates of SSL_CERT_FILE or SSL_CERT_DIR are reached over https", async () => {
  for (const name of ["SSL_CERT_FILE", "SSL_CERT_DIR"]) {
    const { folder, hello } = await officeServer();
    setDefaultCACertificates(getCACertificates("bundled"));
    await expect(hello()).rejects.toThrow();
    const path = name === "SSL_CERT_DIR" ? folder : join(folder, "office.pem");
    trustCertificates({ [name]: path }, (error) => expect.unreachable(String(error)));
    expect(await hello()).toBe("Hello");
  }
});

test("a file that cannot be read is reported, and keeps nothing from starting", () => {
  const failures: unknown[] = [];
  trustCertificates({ SSL_CERT_FILE: "/nowhere/office.pem" }, (error) => failures.push(error));
  expect(failures).toMatchObject([{ code: "ENOENT" }]);
});
