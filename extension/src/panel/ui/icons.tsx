// The few pictures of the panel, drawn here so that nothing is loaded.

interface Props { size?: number; class?: string }

function icon(paths: preact.JSX.Element) {
  return ({ size = 16, class: cls }: Props) => (
    <svg class={cls} width={size} height={size} viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.6"
      stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">{paths}</svg>
  );
}

export const Plus = icon(<path d="M8 3v10M3 8h10" />);
export const ArrowUp = icon(<path d="M8 13V3M3.5 7.5 8 3l4.5 4.5" />);
export const Square = icon(<rect x="4" y="4" width="8" height="8" rx="1.5" fill="currentColor" />);
export const Pause = icon(<path d="M5.5 3.5v9M10.5 3.5v9" />);
export const Play = icon(<path d="M5 3.5v9l7-4.5z" />);
export const Check = icon(<path d="m3.5 8.5 3 3 6-7" />);
export const Cross = icon(<path d="m4.5 4.5 7 7M11.5 4.5l-7 7" />);
export const Ban = icon(<><circle cx="8" cy="8" r="5.5" /><path d="m4.2 4.2 7.6 7.6" /></>);
export const Question = icon(<path d="M6 6a2 2 0 1 1 2.8 1.8c-.5.3-.8.6-.8 1.2M8 11.8v.1" />);
export const Dash = icon(<path d="M4.5 8h7" />);
export const Chevron = icon(<path d="m5.5 3.5 4.5 4.5-4.5 4.5" />);
export const Warn = icon(<path d="M8 2.5 14 13H2zM8 6.5v3M8 11.2v.1" />);
export const Info = icon(<><circle cx="8" cy="8" r="5.8" /><path d="M8 7.5v3.5M8 5.1v.1" /></>);
export const Gear = icon(<><circle cx="8" cy="8" r="2" /><path d="M8 1.8v1.9M8 12.3v1.9M1.8 8h1.9M12.3 8h1.9M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4" /></>);
export const List = icon(<path d="M2.8 4h10.4M2.8 8h10.4M2.8 12h6.4" />);
export const Back = icon(<path d="M13 8H3M7.5 3.5 3 8l4.5 4.5" />);
export const Pencil = icon(<path d="M3 13l.6-2.8 7.4-7.4 2.2 2.2-7.4 7.4z" />);
export const Clip = icon(<path d="M12.8 7.4 8 12.2a3 3 0 0 1-4.2-4.2l5-5a2 2 0 0 1 2.8 2.8l-4.9 4.9a1 1 0 0 1-1.4-1.4L9.7 5" />);
export const Dots = icon(<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.4" />);
export const Quote = icon(<path d="M3 4h10M3 8h10M3 12h6" />);
export const Camera = icon(<><rect x="2" y="4.5" width="12" height="8.5" rx="1.6" /><path d="M5.5 4.5l1-1.7h3l1 1.7" /><circle cx="8" cy="8.7" r="2.1" /></>);
export const Page = icon(<path d="M4 2h5l3 3v9H4zM9 2v3h3" />);
export const Hand = icon(<path d="M5 8.5V4a1 1 0 0 1 2 0v3.5V3a1 1 0 0 1 2 0v4.5V4a1 1 0 0 1 2 0v5.5c0 2.5-1.5 4-3.7 4C5.5 13.5 4.5 12.500 3.500 10.500L2.600 8.800a.9.9 0 0 1 1.500-1z" />);
export const Branch = icon(<><circle cx="8" cy="3.2" r="1.7" /><circle cx="3.8" cy="12.500" r="1.700" /><circle cx="12.200" cy="12.500" r="1.700" /><path d="M8 5v2.500M3.800 10.700V9.500a2 2 0 0 1 2-2h4.400a2 2 0 0 1 2 2v1.200" /></>);
export const Replay = icon(<path d="M3 8a5 5 0 1 0 1.6-3.700L3 5.800M3 2.500v3.300h3.300" />);
export const Retry = icon(<path d="M13 8a5 5 0 1 1-1.600-3.700L13 5.800M13 2.500v3.300H9.700" />);
export const Copy = icon(<><rect x="5.500" y="5.500" width="8" height="8" rx="1.500" /><path d="M10.500 5.500v-2a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1h2" /></>);
export const Shield = icon(<path d="M8 2 3 4v4c0 3 2.2 5 5 6 2.8-1 5-3 5-6V4z" />);

/** The mark: a browser tab on its strip, and the pointer that works in it. */
export function Mark({ size = 20 }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 128 128" aria-hidden="true">
      <rect x="4" y="4" width="120" height="120" rx="28" fill="var(--mark)" />
      <path d="M14 90a10 11 0 0 0 10-11V44a16 16 0 0 1 16-16h48a16 16 0 0 1 16 16v35a10 11 0 0 0 10 11v6a6 6 0 0 1-6 6H20a6 6 0 0 1-6-6z" fill="#fff" />
      <path d="M49 46l34 13.5-15 5.6-6 15.4z" fill="var(--mark)" stroke="var(--mark)" stroke-width="7" stroke-linejoin="round" />
    </svg>
  );
}

export function Spinner() {
  return <span class="spinner" aria-hidden="true" />;
}
