import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Checkbox, Dialog, DropdownMenu, RadioGroup, Select, Slider, Switch, Tabs, ToggleGroup } from "radix-ui";

const state = {};
const item = { display: "block", padding: 4, outline: "none" };
const popup = { background: "white", border: "1px solid", padding: 4 };

function Form() {
  const [v, setV] = useState({ fruit: "apple", bold: [], volume: [30], plan: "free", tab: "a" });
  const set = (more) => setV((old) => ({ ...old, ...more }));
  Object.assign(state, v);
  return (
    <>
      <h1>Settings</h1>
      <Select.Root value={v.fruit} onValueChange={(fruit) => set({ fruit })}>
        <Select.Trigger aria-label="Fruit"><Select.Value /></Select.Trigger>
        <Select.Portal>
          <Select.Content style={popup}>
            <Select.Viewport>
              {["apple", "pear", "plum"].map((f) => <Select.Item key={f} value={f} style={item}><Select.ItemText>{f}</Select.ItemText></Select.Item>)}
            </Select.Viewport>
          </Select.Content>
        </Select.Portal>
      </Select.Root>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger>File</DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content style={popup}>
            <DropdownMenu.Item style={item} onSelect={() => set({ did: "new" })}>New</DropdownMenu.Item>
            <DropdownMenu.CheckboxItem style={item} checked={!!v.grid} onCheckedChange={(grid) => set({ grid })}>Grid</DropdownMenu.CheckboxItem>
            <DropdownMenu.Sub>
              <DropdownMenu.SubTrigger style={item}>Share</DropdownMenu.SubTrigger>
              <DropdownMenu.Portal>
                <DropdownMenu.SubContent style={popup}>
                  <DropdownMenu.Item style={item} onSelect={() => set({ did: "link" })}>Copy link</DropdownMenu.Item>
                </DropdownMenu.SubContent>
              </DropdownMenu.Portal>
            </DropdownMenu.Sub>
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <p><label><Checkbox.Root checked={!!v.agree} onCheckedChange={(agree) => set({ agree })}><Checkbox.Indicator>✓</Checkbox.Indicator></Checkbox.Root> I agree</label></p>
      <p><label htmlFor="loud">Loud</label> <Switch.Root id="loud" checked={!!v.loud} onCheckedChange={(loud) => set({ loud })} style={{ width: 40, height: 20 }}><Switch.Thumb /></Switch.Root></p>
      <RadioGroup.Root aria-label="Plan" value={v.plan} onValueChange={(plan) => set({ plan })}>
        {["free", "pro"].map((p) => <p key={p}><RadioGroup.Item value={p} id={p} style={{ width: 16, height: 16 }}><RadioGroup.Indicator>●</RadioGroup.Indicator></RadioGroup.Item> <label htmlFor={p}>{p}</label></p>)}
      </RadioGroup.Root>
      <Slider.Root value={v.volume} onValueChange={(volume) => set({ volume })} style={{ position: "relative", display: "flex", width: 200, height: 20 }}>
        <Slider.Track style={{ flexGrow: 1, height: 4, background: "silver", position: "relative" }}><Slider.Range style={{ position: "absolute", height: 4, background: "blue" }} /></Slider.Track>
        <Slider.Thumb aria-label="Volume" style={{ display: "block", width: 16, height: 16, background: "navy" }} />
      </Slider.Root>
      <ToggleGroup.Root type="multiple" value={v.bold} onValueChange={(bold) => set({ bold })}>
        <ToggleGroup.Item value="b" aria-label="Bold">B</ToggleGroup.Item>
        <ToggleGroup.Item value="i" aria-label="Italic">I</ToggleGroup.Item>
      </ToggleGroup.Root>
      <Tabs.Root value={v.tab} onValueChange={(tab) => set({ tab })}>
        <Tabs.List><Tabs.Trigger value="a">Posts</Tabs.Trigger><Tabs.Trigger value="b">Friends</Tabs.Trigger></Tabs.List>
        <Tabs.Content value="a">All posts</Tabs.Content><Tabs.Content value="b">All friends</Tabs.Content>
      </Tabs.Root>
      <Dialog.Root>
        <Dialog.Trigger>Edit profile</Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay style={{ position: "fixed", inset: 0, background: "#0008" }} />
          <Dialog.Content style={{ ...popup, position: "fixed", top: 100, left: 100 }} aria-describedby={undefined}>
            <Dialog.Title>Profile</Dialog.Title>
            <label>Name <input onChange={(e) => set({ name: e.target.value })} /></label>
            <Dialog.Close onClick={() => set({ closed: true })}>Save</Dialog.Close>
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
