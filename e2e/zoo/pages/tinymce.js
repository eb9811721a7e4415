import tinymce from "tinymce";
import "tinymce/icons/default";
import "tinymce/themes/silver";
import "tinymce/models/dom";
import "tinymce/plugins/lists";
import "tinymce/skins/ui/oxide/skin.css";

document.body.innerHTML = `<h1>Post</h1><textarea id="post">&lt;p&gt;Hello world&lt;/p&gt;</textarea>`;
tinymce.init({ selector: "#post", skin: false, content_css: false, height: 300, plugins: "lists", promotion: false, branding: false, toolbar: "bold italic bullist blocks", iframe_aria_text: "Post" });
window.state = () => ({ html: tinymce.activeEditor?.getContent() ?? "", text: tinymce.activeEditor?.getContent({ format: "text" }).replaceAll("\n\n", "\n") ?? "" });
