import { useState } from "react";
import { createRoot } from "react-dom/client";
import Autocomplete from "@mui/material/Autocomplete";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogTitle from "@mui/material/DialogTitle";
import FormControl from "@mui/material/FormControl";
import FormControlLabel from "@mui/material/FormControlLabel";
import InputLabel from "@mui/material/InputLabel";
import MenuItem from "@mui/material/MenuItem";
import Rating from "@mui/material/Rating";
import Select from "@mui/material/Select";
import Slider from "@mui/material/Slider";
import Switch from "@mui/material/Switch";
import Tab from "@mui/material/Tab";
import Tabs from "@mui/material/Tabs";
import TextField from "@mui/material/TextField";

const cities = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"];
const state = {};

function Form() {
  const [v, setV] = useState({ age: 10, city: null, tags: [], note: "", volume: 30, loud: false, agree: false, stars: 2, tab: 0, open: false, deleted: false });
  const set = (more) => setV((old) => ({ ...old, ...more }));
  Object.assign(state, v);
  return (
    <>
      <h1>Profile</h1>
      <FormControl fullWidth>
        <InputLabel id="age">Age</InputLabel>
        <Select labelId="age" label="Age" value={v.age} onChange={(e) => set({ age: e.target.value })}>
          <MenuItem value={10}>Ten</MenuItem>
          <MenuItem value={20}>Twenty</MenuItem>
          <MenuItem value={30}>Thirty</MenuItem>
        </Select>
      </FormControl>
      <Autocomplete options={cities} value={v.city} onChange={(_, city) => set({ city })} renderInput={(p) => <TextField {...p} label="City" />} />
      <Autocomplete multiple options={cities} value={v.tags} onChange={(_, tags) => set({ tags })} renderInput={(p) => <TextField {...p} label="Stops" />} />
      <TextField label="Note" multiline value={v.note} onChange={(e) => set({ note: e.target.value })} />
      <Slider aria-label="Volume" value={v.volume} onChange={(_, volume) => set({ volume })} style={{ width: 300, margin: 20 }} />
      <FormControlLabel label="Loud" control={<Switch checked={v.loud} onChange={(e) => set({ loud: e.target.checked })} />} />
      <FormControlLabel label="I agree" control={<Checkbox checked={v.agree} onChange={(e) => set({ agree: e.target.checked })} />} />
      <Rating value={v.stars} onChange={(_, stars) => set({ stars })} />
      <Tabs value={v.tab} onChange={(_, tab) => set({ tab })}>
        <Tab label="Posts" />
        <Tab label="Friends" />
      </Tabs>
      <Button onClick={() => set({ open: true })}>Leave the club</Button>
      <Dialog open={v.open}>
        <DialogTitle>Leave the club?</DialogTitle>
        <DialogActions>
          <Button onClick={() => set({ open: false })}>Stay</Button>
          <Button onClick={() => set({ open: false, left: true })}>Leave</Button>
        </DialogActions>
      </Dialog>
    </>
  );
}
createRoot(document.body.appendChild(document.createElement("div"))).render(<Form />);
window.state = () => state;
