"""Esri's own client signs in to a demo portal, in each of the ways it knows.

    python sign_in.py https://localhost:7443
"""

import getpass
import sys
import webbrowser

import requests
import urllib3
from arcgis.auth import EsriPKCEAuth
from arcgis.gis import GIS

urllib3.disable_warnings()


class SignIn:
    """The checks, each a method whose name says what it proves."""

    def __init__(self, portal):
        self.portal = portal

    def gis(self, *arguments, **options):
        return GIS(self.portal, *arguments, verify_cert=False, **options)

    def nobody(self):
        gis = self.gis()
        assert gis.users.me is None
        assert gis.properties.name == "Portolan Demo"
        assert "user" not in gis.properties

    def name_and_password(self):
        gis = self.gis("demo", "demo", use_gen_token=True)
        assert gis.users.me.username == "demo"
        assert gis.properties.user.username == "demo"

    def wrong_password(self):
        for options in [{"use_gen_token": True}, {}]:
            try:
                me = self.gis("demo", "wrong", **options).users.me
            except Exception:
                continue
            raise AssertionError(f"signed in as {me} with a wrong password")

    def oauth_pages(self):
        assert self.gis("viewer", "viewer").users.me.fullName == "Viewing Person"

    def oauth_with_the_code_in_a_page(self):
        gis = self.gis("demo", "demo", client_id="portolan")
        assert gis.users.me.username == "demo"

    def oauth_with_a_pasted_code(self):
        opened = []
        webbrowser.open_new = opened.append
        getpass.getpass = lambda prompt: self.code_from_page(opened[-1])
        gis = self.gis(client_id="portolan")
        assert gis.users.me.username == "demo"

    def code_from_page(self, address):
        """What a person with a browser does."""
        session = requests.Session()
        page = session.get(address, verify=False).text
        state = page.split('"oauth_state":"')[1].split('"')[0]
        form = {"oauth_state": state, "username": "demo", "password": "demo"}
        result = session.post(
            f"{self.portal}/sharing/rest/oauth2/signin", data=form, verify=False
        ).text
        return result.split("<title>SUCCESS code=")[1].split("</title>")[0]

    def oauth_with_pkce(self):
        auth = EsriPKCEAuth(self.portal, "demo", "demo", verify_cert=False)
        assert auth.token
        auth._refresh_token()
        assert self.me(auth.token) == "demo"

    def existing_token(self):
        token = self.generated_token(client="referer", referer="http")
        assert self.gis(token=token).users.me.username == "demo"

    def token_of_another_referer(self):
        token = self.generated_token(client="referer", referer="https://elsewhere.test")
        assert self.me(token) is None

    def generated_token(self, **options):
        form = {"username": "demo", "password": "demo", "f": "json", **options}
        address = f"{self.portal}/sharing/rest/generateToken"
        return requests.post(address, data=form, verify=False).json()["token"]

    def me(self, token):
        headers = {"X-Esri-Authorization": f"Bearer {token}"}
        answer = requests.get(
            f"{self.portal}/sharing/rest/community/self?f=json", headers=headers, verify=False
        ).json()
        return answer.get("username")


CHECKS = [
    "nobody", "name_and_password", "wrong_password", "oauth_pages",
    "oauth_with_the_code_in_a_page", "oauth_with_a_pasted_code", "oauth_with_pkce",
    "existing_token", "token_of_another_referer",
]


def main():
    checks = SignIn(sys.argv[1].rstrip("/"))
    for name in CHECKS:
        getattr(checks, name)()
        print(f"ok {name}", flush=True)


if __name__ == "__main__":
    main()
