# Django's admin over Django's own apps. Its arguments are those of django_site.py.
import django_site

django_site.configure(["django.contrib.sites", "django.contrib.flatpages", "django.contrib.redirects"], SITE_ID=1)


def seed():
    from django.contrib.auth.models import Group, User
    from django.contrib.flatpages.models import FlatPage
    from django.contrib.redirects.models import Redirect

    User.objects.create_superuser("admin", "admin@example.test", "secret-9-word")
    editors, staff = Group.objects.create(name="Editors"), Group.objects.create(name="Support staff")
    for i, (name, first, last) in enumerate([("ida", "Ida", "Lind"), ("tom", "Tom", "Becker"), ("mei", "Mei", "Chen")]):
        u = User.objects.create_user(name, name + "@example.test", "secret-9-word", first_name=first, last_name=last, is_staff=i == 0)
        u.groups.add(editors if i else staff)
    for url, title in [("/about/", "About us"), ("/terms/", "Terms of sale"), ("/jobs/", "Jobs")]:
        FlatPage.objects.create(url=url, title=title, content="Text of " + title).sites.add(1)
    Redirect.objects.create(site_id=1, old_path="/old/", new_path="/about/")
    Redirect.objects.create(site_id=1, old_path="/shop/", new_path="/terms/")


if __name__ == "__main__":
    django_site.main(seed, lambda: [])
