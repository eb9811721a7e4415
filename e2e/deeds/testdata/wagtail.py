# Fills a Wagtail site: pages, users, and a page that waits for approval.
from django.contrib.auth.models import Group, User
from home.models import HomePage
from wagtail.contrib.redirects.models import Redirect
from wagtail.models import Collection, Page, Workflow

root = HomePage.objects.get()
users = {}
for name, group in [("ida", "Editors"), ("tom", "Moderators")]:
    users[name] = User.objects.create_user(name, name + "@example.test", "secret-9-word", first_name=name.title(), last_name="Berg")
    users[name].groups.add(Group.objects.get(name=group))
pages = {}
for title, live in [("Opening hours", True), ("Price list", True), ("Jobs", True), ("Summer party", False), ("Old news", True)]:
    p = pages[title] = root.add_child(instance=HomePage(title=title, live=live, show_in_menus=live, owner=users["ida"]))
    p.save_revision(user=users["ida"])
    if live:
        p.get_latest_revision().publish()
party = Page.objects.get(title="Summer party")
Workflow.objects.first().start(party.specific, users["ida"])
Redirect.objects.create(old_path="/prices", redirect_page=Page.objects.get(title="Price list"))
Collection.get_first_root_node().add_child(name="Photos")
