import "@angular/compiler";
import { Component, provideZonelessChangeDetection } from "@angular/core";
import { FormsModule } from "@angular/forms";
import { bootstrapApplication } from "@angular/platform-browser";
import { MatAutocompleteModule } from "@angular/material/autocomplete";
import { MatButtonModule } from "@angular/material/button";
import { MatCheckboxModule } from "@angular/material/checkbox";
import { provideNativeDateAdapter } from "@angular/material/core";
import { MatDatepickerModule } from "@angular/material/datepicker";
import { MatFormFieldModule } from "@angular/material/form-field";
import { MatInputModule } from "@angular/material/input";
import { MatMenuModule } from "@angular/material/menu";
import { MatRadioModule } from "@angular/material/radio";
import { MatSelectModule } from "@angular/material/select";
import { MatSlideToggleModule } from "@angular/material/slide-toggle";
import { MatSliderModule } from "@angular/material/slider";
import { MatTabsModule } from "@angular/material/tabs";
import "@angular/material/theme.css";

const v: Record<string, any> = { city: null, tags: [], near: "", name: "", volume: 30, loud: false, agree: false, plan: "free", day: new Date(2026, 4, 4), tab: 0, did: null };

@Component({
  selector: "zoo-form",
  standalone: true,
  imports: [FormsModule, MatAutocompleteModule, MatButtonModule, MatCheckboxModule, MatDatepickerModule, MatFormFieldModule, MatInputModule, MatMenuModule, MatRadioModule, MatSelectModule, MatSlideToggleModule, MatSliderModule, MatTabsModule],
  template: `<h1>Booking</h1>
    <mat-form-field><mat-label>City</mat-label><mat-select [(ngModel)]="v.city">@for (c of cities; track c) {<mat-option [value]="c">{{ c }}</mat-option>}</mat-select></mat-form-field>
    <mat-form-field><mat-label>Tags</mat-label><mat-select multiple [(ngModel)]="v.tags">@for (c of cities; track c) {<mat-option [value]="c">{{ c }}</mat-option>}</mat-select></mat-form-field>
    <mat-form-field><mat-label>Near</mat-label><input matInput [(ngModel)]="v.near" [matAutocomplete]="auto" /><mat-autocomplete #auto>@for (c of hits(); track c) {<mat-option [value]="c">{{ c }}</mat-option>}</mat-autocomplete></mat-form-field>
    <mat-form-field><mat-label>Name</mat-label><input matInput [(ngModel)]="v.name" /></mat-form-field>
    <mat-form-field><mat-label>Arrival</mat-label><input matInput [matDatepicker]="picker" [(ngModel)]="v.day" /><mat-datepicker-toggle matIconSuffix [for]="picker" /><mat-datepicker #picker /></mat-form-field>
    <p><mat-slider min="0" max="100"><input matSliderThumb aria-label="Volume" [(ngModel)]="v.volume" /></mat-slider></p>
    <p><mat-slide-toggle [(ngModel)]="v.loud">Loud</mat-slide-toggle> <mat-checkbox [(ngModel)]="v.agree">I agree</mat-checkbox></p>
    <mat-radio-group aria-label="Plan" [(ngModel)]="v.plan"><mat-radio-button value="free">free</mat-radio-button><mat-radio-button value="pro">pro</mat-radio-button></mat-radio-group>
    <button matButton [matMenuTriggerFor]="menu">File</button><mat-menu #menu><button mat-menu-item (click)="v.did = 'new'">New</button><button mat-menu-item (click)="v.did = 'open'">Open</button></mat-menu>
    <mat-tab-group [(selectedIndex)]="v.tab"><mat-tab label="Posts">All posts</mat-tab><mat-tab label="Friends">All friends</mat-tab></mat-tab-group>`,
})
class Form {
  v = v;
  cities = ["Amsterdam", "Bergen", "Cologne", "Dublin", "Oslo", "Oulu"];
  hits() { return this.cities.filter((c) => c.toLowerCase().includes(String(v.near).toLowerCase())); }
}
document.body.append(document.createElement("zoo-form"));
bootstrapApplication(Form, { providers: [provideZonelessChangeDetection(), provideNativeDateAdapter()] });
const local = (d: Date | null) => d && new Date(+d - d.getTimezoneOffset() * 60000).toISOString().slice(0, 10);
(window as any).state = () => ({ ...v, day: local(v.day) });
