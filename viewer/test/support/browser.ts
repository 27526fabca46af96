// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Headless Chromium that draws by software (or, with GL=gl-egl or GL=vulkan, by a graphics processor) and talks to nobody,
// and pages that keep their complaints.
import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContext, type Page } from "playwright-core";
import { isReady } from "./page-state";

const PLACES = [process.env["CHROMIUM"] ?? "", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export const chromiumPath = (): string | undefined => PLACES.find((path) => path !== "" && existsSync(path));

const GL = process.env["GL"] ?? "swiftshader";
const BY_SOFTWARE = ["--disable-gpu", "--enable-unsafe-swiftshader"];
const BY_HARDWARE = ["--enable-gpu", "--ignore-gpu-blocklist"];

// ms that a wait may take: a loaded machine with two cores draws a picture in seconds
const PATIENCE = 120_000;

export async function launch(): Promise<Browser> {
  return chromium.launch({
    timeout: PATIENCE,
    executablePath: chromiumPath() as string,
    headless: true,
    args: [
      "--no-sandbox",
      ...(GL === "swiftshader" ? BY_SOFTWARE : BY_HARDWARE),
      "--use-gl=angle",
      `--use-angle=${GL}`,
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

export interface WatchedPage {
  page: Page;
  complaints: string[];
}

export interface PageOptions {
  theme?: "light" | "dark";
  width?: number;
  height?: number;
  offline?: boolean;
  /** Pixels of the picture for one of the page: few, where nobody looks. */
  fineness?: number;
  /** Fingers instead of a mouse. */
  touch?: boolean;
  onRequest?: (url: string) => void;
}

/** Wait long before anything is called missing. */
export function bePatient(context: BrowserContext): BrowserContext {
  context.setDefaultTimeout(PATIENCE);
  return context;
}

/** A page of a browser with nothing set. */
export const plainPage = async (browser: Browser): Promise<Page> => bePatient(await browser.newContext()).newPage();

/** A fresh page; errors and warnings of its console are kept. */
export async function openPage(browser: Browser, address: string, options: PageOptions = {}): Promise<WatchedPage> {
  const { theme = "light", width = 1000, height = 640, offline = false, fineness = 0.25, touch = false, onRequest } = options;
  const context = bePatient(await browser.newContext({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true, offline, deviceScaleFactor: fineness, hasTouch: touch, isMobile: touch }));
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !/GPU stall|swiftshader|software WebGL/i.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  if (onRequest) page.on("request", (request) => onRequest(request.url()));
  await page.goto(address);
  await isReady(page);
  return { page, complaints };
}
