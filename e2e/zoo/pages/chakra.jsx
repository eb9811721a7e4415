import { useState } from "react";
import { createRoot } from "react-dom/client";
import { Button, ChakraProvider, Checkbox, createListCollection, defaultSystem, Dialog, Field, Input, Menu, NumberInput, PinInput, Portal, RadioGroup, Select, Slider, Switch } from "@chakra-ui/react";

const state = {};
const cities = createListCollection({ items: ["Amsterdam", "Bergen", "Oslo", "Oulu"].map((value) => ({ value, label: value })) });

function Form() {
  const [v, setV] = useState({ city: [], guests: "1", volume: [30], plan: "free" });
  const set = (more) => setV((old) => ({ ...old, ...more }));
  Object.assign(state, v);
  return (
    <ChakraProvider value={defaultSystem}>
      <h1>Booking</h1>
      <Select.Root collection={cities} value={v.city} onValueChange={(e) => set({ city: e.value })} width="300px">
        <Select.HiddenSelect /><Select.Label>City</Select.Label>
        <Select.Control><Select.Trigger><Select.ValueText placeholder="Choose" /></Select.Trigger></Select.Control>
        <Portal><Select.Positioner><Select.Content>{cities.items.map((c) => <Select.Item item={c} key={c.value}>{c.label}</Select.Item>)}</Select.Content></Select.Positioner></Portal>
      </Select.Root>
      <Field.Root><Field.Label>Name</Field.Label><Input onChange={(e) => set({ name: e.target.value })} /></Field.Root>
      <NumberInput.Root value={v.guests} onValueChange={(e) => set({ guests: e.value })} min={1} max={9}>
        <NumberInput.Label>Guests</NumberInput.Label><NumberInput.Control /><NumberInput.Input />
      </NumberInput.Root>
      <Slider.Root value={v.volume} onValueChange={(e) => set({ volume: e.value })} width="300px">
        <Slider.Label>Volume</Slider.Label>
        <Slider.Control><Slider.Track><Slider.Range /></Slider.Track><Slider.Thumbs /></Slider.Control>
      </Slider.Root>
      <Switch.Root checked={!!v.loud} onCheckedChange={(e) => set({ loud: e.checked })}><Switch.HiddenInput /><Switch.Control /><Switch.Label>Loud</Switch.Label></Switch.Root>
      <Checkbox.Root checked={!!v.agree} onCheckedChange={(e) => set({ agree: e.checked })}><Checkbox.HiddenInput /><Checkbox.Control /><Checkbox.Label>I agree</Checkbox.Label></Checkbox.Root>
      <RadioGroup.Root value={v.plan} onValueChange={(e) => set({ plan: e.value })}>
        {["free", "pro"].map((p) => <RadioGroup.Item key={p} value={p}><RadioGroup.ItemHiddenInput /><RadioGroup.ItemIndicator /><RadioGroup.ItemText>{p}</RadioGroup.ItemText></RadioGroup.Item>)}
      </RadioGroup.Root>
      <PinInput.Root onValueChange={(e) => set({ pin: e.valueAsString })}>
        <PinInput.Label>Code</PinInput.Label><PinInput.HiddenInput />
        <PinInput.Control>{[0, 1, 2, 3].map((i) => <PinInput.Input key={i} index={i} />)}</PinInput.Control>
      </PinInput.Root>
      <Menu.Root onSelect={(e) => set({ did: e.value })}>
        <Menu.Trigger asChild><Button>File</Button></Menu.Trigger>
        <Portal><Menu.Positioner><Menu.Content><Menu.Item value="new">New</Menu.Item><Menu.Item value="open">Open</Menu.Item></Menu.Content></Menu.Positioner></Portal>
      </Menu.Root>
      <Dialog.Root>
        <Dialog.Trigger asChild><Button>Leave the club</Button></Dialog.Trigger>
        <Portal><Dialog.Backdrop /><Dialog.Positioner><Dialog.Content>
          <Dialog.Header><Dialog.Title>Leave the club?</Dialog.Title></Dialog.Header>
          <Dialog.Footer><Dialog.ActionTrigger asChild><Button onClick={() => set({ left: true })}>Leave</Button></Dialog.ActionTrigger></Dialog.Footer>
        </Dialog.Content></Dialog.Positioner></Portal>
      </Dialog.Root>
    </ChakraProvider>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
