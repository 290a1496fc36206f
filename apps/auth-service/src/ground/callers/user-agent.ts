/** The browser and operating system in a User-Agent; null if not given. */
interface DeviceDescription {
  /** With its major version: `Firefox 140`. */
  readonly browser: string | null;
  readonly system: string | null;
}

type Rule = readonly [name: string, form: RegExp];

// Browsers also name those that they imitate: the most specific comes first.
const browsers: readonly Rule[] = [
  ['Edge', /\bEdg(?:e|A|iOS)?\/(\d+)/],
  ['Opera', /\b(?:OPR|OPX|OPiOS)\/(\d+)/],
  ['Samsung Internet', /\bSamsungBrowser\/(\d+)/],
  ['Vivaldi', /\bVivaldi\/(\d+)/],
  ['Firefox', /\b(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/],
  ['Safari', /\bVersion\/(\d+)[\d.]* (?:Mobile\/\w+ )?Safari\//],
];

// Current iPads identify as Macs, and the text does not distinguish them.
const systems: readonly Rule[] = [
  ['iOS', /\b(?:iPhone|iPod)\b/],
  ['iPadOS', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac(?:intosh| OS X)\b/],
  ['Linux', /\bLinux\b/],
];

/**
 * Reads the few things that let a person recognize a device in a list. A User-Agent is anyone's text and proves nothing.
 *
 * @example describeDevice('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0')
 *   // { browser: 'Firefox 140', system: 'Linux' }
 */
export function describeDevice(userAgent: string | null): DeviceDescription {
  const text = userAgent ?? '';
  const browser = browsers
    .map(([name, form]) => ({ name, version: form.exec(text)?.[1] }))
    .find(({ version }) => version !== undefined);
  const system = systems.find(([, form]) => form.test(text));
  return {
    browser: browser ? `${browser.name} ${browser.version ?? ''}` : null,
    system: system?.[0] ?? null,
  };
}
