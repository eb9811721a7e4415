# A ticket desk on django-helpdesk. Its arguments are those of django_site.py.
import os
from datetime import timedelta

import django_site

django_site.configure(
    ["django.contrib.sites", "django.contrib.humanize", "rest_framework", "helpdesk"],
    locale=["django.middleware.locale.LocaleMiddleware"],
    processors=["django.template.context_processors.debug"], SITE_ID=1,
    EMAIL_BACKEND="django.core.mail.backends.filebased.EmailBackend", EMAIL_FILE_PATH=os.path.join(django_site.state, "mail"),
    DEFAULT_FROM_EMAIL="desk@example.test", LOGIN_URL="helpdesk:login", LOGIN_REDIRECT_URL="helpdesk:home",
    HELPDESK_TEAMS_MODE_ENABLED=False, HELPDESK_ACTIVATE_API_ENDPOINT=True, HELPDESK_SHOW_CHANGE_PASSWORD=True,
)


def seed():
    from django.contrib.auth.models import User
    from django.core.files.base import ContentFile
    from django.utils import timezone
    from helpdesk import models as m

    admin = User.objects.create_superuser("admin", "admin@example.test", "secret-9-word")
    tom = User.objects.create_user("tom", "tom@example.test", "secret-9-word", is_staff=True)
    house, garden = [m.Queue.objects.create(title=t, slug=t.lower(), email_address=t.lower() + "@example.test", allow_public_submission=True) for t in ["House", "Garden"]]
    for title, queue, status, priority, owner in [
        ("The heating is cold", house, 1, 2, admin), ("A pane is broken", house, 1, 3, None), ("Remove the old fence", garden, 2, 3, tom),
        ("The gate does not close", garden, 3, 4, admin), ("No hot water", house, 4, 1, tom), ("Send me a new key", house, 1, 3, None),
    ]:
        t = m.Ticket.objects.create(
            title=title, queue=queue, status=status, priority=priority, assigned_to=owner, submitter_email="ida@example.test",
            description=title + " since Monday.", secret_key="key-of-it", resolution="The hinge is new." if status == 3 else "",
            due_date=timezone.now() + timedelta(days=3),
        )
        f = m.FollowUp.objects.create(ticket=t, title="Comment", comment="I looked at it.", public=True, user=tom)
        if title == "The heating is cold":
            a = m.FollowUpAttachment(followup=f, filename="bill.txt", mime_type="text/plain", size=5)
            a.file.save("bill.txt", ContentFile(b"a sum"))
            m.TicketCC.objects.create(ticket=t, email="neighbour@example.test", can_view=True)
            m.ChecklistTask.objects.create(checklist=m.Checklist.objects.create(ticket=t, name="Visit"), description="Bring a valve", position=1)
    m.TicketDependency.objects.create(ticket_id=1, depends_on_id=5)
    m.PreSetReply.objects.create(name="We come tomorrow", body="We come tomorrow.")
    search = m.SavedSearch.objects.create(user=admin, title="Urgent ones", shared=True, query="e30=")
    m.SavedSearch.objects.create(user=tom, title="Tom's", shared=True, query=search.query)
    m.IgnoreEmail.objects.create(name="Advertisers", email_address="*@advert.test", keep_in_mailbox=False)
    faq = m.KBCategory.objects.create(name="Heating", title="Heating", slug="heating", description="All about heating", public=True)
    m.KBItem.objects.create(category=faq, title="How to bleed a radiator", question="How?", answer="With a key.", order=1)
    m.ChecklistTemplate.objects.create(name="Move out", task_list=["Keys", "Meter"])


def urls():
    from django.urls import include, path

    return [path("i18n/", include("django.conf.urls.i18n")), path("", include("helpdesk.urls", namespace="helpdesk"))]


if __name__ == "__main__":
    django_site.main(seed, urls)
