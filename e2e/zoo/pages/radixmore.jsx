import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Accordion, ContextMenu, Dialog, HoverCard, Menubar, NavigationMenu, Toast } from "radix-ui";
import { OTPInput } from "input-otp";
import { Toaster, toast } from "sonner";

const state = {};
const box = { background: "white", border: "1px solid", padding: 6 };

function Form() {
  const [v, setV] = useState({ code: "" });
  const set = (more) => setV((old) => ({ ...old, ...more }));
  Object.assign(state, v);
  return (
    <>
      <h1>Mail</h1>
      <ContextMenu.Root>
        <ContextMenu.Trigger><div style={{ ...box, width: 200 }}>Invoice.pdf</div></ContextMenu.Trigger>
        <ContextMenu.Portal><ContextMenu.Content style={box}><ContextMenu.Item onSelect={() => set({ did: "rename" })}>Rename</ContextMenu.Item><ContextMenu.Item>Share</ContextMenu.Item></ContextMenu.Content></ContextMenu.Portal>
      </ContextMenu.Root>
      <HoverCard.Root openDelay={200} closeDelay={200}>
        <HoverCard.Trigger href="#ida">@ida</HoverCard.Trigger>
        <HoverCard.Portal><HoverCard.Content style={box}>Ida Lind <button onClick={() => set({ followed: true })}>Follow</button></HoverCard.Content></HoverCard.Portal>
      </HoverCard.Root>
      <Accordion.Root type="single" collapsible onValueChange={(acc) => set({ acc })}>
        {["Shipping", "Returns"].map((s) => <Accordion.Item key={s} value={s}><Accordion.Header><Accordion.Trigger>{s}</Accordion.Trigger></Accordion.Header><Accordion.Content>About {s}</Accordion.Content></Accordion.Item>)}
      </Accordion.Root>
      <Menubar.Root><Menubar.Menu><Menubar.Trigger>Edit</Menubar.Trigger><Menubar.Portal><Menubar.Content style={box}><Menubar.Item onSelect={() => set({ did: "undo" })}>Undo</Menubar.Item></Menubar.Content></Menubar.Portal></Menubar.Menu></Menubar.Root>
      <NavigationMenu.Root><NavigationMenu.List><NavigationMenu.Item><NavigationMenu.Trigger>Products</NavigationMenu.Trigger><NavigationMenu.Content style={box}><NavigationMenu.Link href="#tea" onSelect={() => set({ went: "tea" })}>Tea</NavigationMenu.Link></NavigationMenu.Content></NavigationMenu.Item></NavigationMenu.List></NavigationMenu.Root>
      <Dialog.Root>
        <Dialog.Trigger>New event</Dialog.Trigger>
        <Dialog.Portal><Dialog.Overlay style={{ position: "fixed", inset: 0, background: "#0005" }} /><Dialog.Content style={{ ...box, position: "fixed", top: 80, left: 80, width: 400 }}>
          <Dialog.Title>New event</Dialog.Title>
          <label>Title <input onChange={(e) => set({ title: e.target.value })} /></label>
          <Dialog.Root>
            <Dialog.Trigger>Add guest</Dialog.Trigger>
            <Dialog.Portal><Dialog.Overlay style={{ position: "fixed", inset: 0, background: "#0005" }} /><Dialog.Content style={{ ...box, position: "fixed", top: 120, left: 120, width: 300 }}>
              <Dialog.Title>Add guest</Dialog.Title>
              <label>Guest <input onChange={(e) => set({ guest: e.target.value })} /></label>
              <Dialog.Close>Done</Dialog.Close>
            </Dialog.Content></Dialog.Portal>
          </Dialog.Root>
          <Dialog.Close onClick={() => set({ saved: true })}>Save</Dialog.Close>
        </Dialog.Content></Dialog.Portal>
      </Dialog.Root>
      <OTPInput maxLength={6} value={v.code} onChange={(code) => set({ code })} aria-label="Code" render={({ slots }) => <div style={{ display: "flex" }}>{slots.map((s, i) => <div key={i} style={{ width: 24, height: 30, border: "1px solid" }}>{s.char}</div>)}</div>} />
      <button onClick={() => { set({ gone: true }); toast("Conversation archived", { duration: 20000, action: { label: "Undo", onClick: () => set({ gone: false }) } }); }}>Archive</button>
      <Toaster />
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
