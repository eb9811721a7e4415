import jQuery from "jquery";

// The plugins look for it there.
window.jQuery = window.$ = jQuery;
export default jQuery;
