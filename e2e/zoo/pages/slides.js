import Swiper from "swiper";
import { Navigation, Pagination } from "swiper/modules";
import "swiper/css";
import "swiper/css/navigation";
import "swiper/css/pagination";
import Splide from "@splidejs/splide";
import "@splidejs/splide/css";

document.body.innerHTML = `<h1>Photos</h1><style>.swiper, .splide { width: 400px } .swiper-slide, .splide__slide { height: 100px; background: #cde }</style>
<div class="swiper"><div class="swiper-wrapper">${["Sea", "Hill", "Town"].map((s) => `<div class="swiper-slide">${s}</div>`).join("")}</div><div class="swiper-button-prev"></div><div class="swiper-button-next"></div><div class="swiper-pagination"></div></div>
<section class="splide" aria-label="Rooms"><div class="splide__track"><ul class="splide__list">${["Kitchen", "Bath", "Hall"].map((s) => `<li class="splide__slide">${s}</li>`).join("")}</ul></div></section>`;
const swiper = new Swiper(".swiper", { modules: [Navigation, Pagination], navigation: { nextEl: ".swiper-button-next", prevEl: ".swiper-button-prev" }, pagination: { el: ".swiper-pagination", clickable: true } });
const splide = new Splide(".splide").mount();
window.state = () => ({ swiper: swiper.activeIndex, splide: splide.index });
