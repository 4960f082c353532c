internal import PortolanJSON

/// The page that asks for a name and a password.
struct SignInPage {
  let state: String
  let clientID: String
  var isRetry = false

  var html: String {
    let information: JSONValue = [
      "oauth_state": .string(state), "client_id": .string(clientID), "locale": "en",
      "message": .text(isRetry ? "Invalid username or password." : nil),
    ]
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Sign in – Portolan demo portal</title>
      <script>var oAuthInfo = \(information.text().replacing("<", with: "\\u003c"));</script>
      </head><body>
      <h1>Portolan demo portal</h1>
      <p>Sign in for the application <b>\(HTMLText.escaped(clientID))</b>.</p>
      \(isRetry ? "<p role=\"alert\">Invalid username or password.</p>" : "")
      <form method="post" action="/sharing/rest/oauth2/signin">
      <input type="hidden" name="oauth_state" value="\(HTMLText.escaped(state))">
      <p><label>Username <input name="username" autocomplete="username" autofocus></label></p>
      <p><label>Password <input name="password" type="password"></label></p>
      <p><button>Sign in</button> <button name="cancel" value="true">Cancel</button></p>
      </form></body></html>
      """
  }
}

/// The page that shows a code to take to an application without a page of its own.
enum ApprovalPage {
  static func granted(_ code: String) -> String {
    let code = HTMLText.escaped(code)
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>SUCCESS code=\(code)</title></head>
      <body><h1>Take this code to the application</h1>
      <p><input id="code" readonly size="80" value="\(code)"></p></body></html>
      """
  }

  static func denied(_ error: String) -> String {
    let error = HTMLText.escaped(error)
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8"><title>Denied error=\(error)</title></head>
      <body><h1>Nobody was signed in</h1><p>\(error)</p></body></html>
      """
  }
}

/// Text inside pages.
enum HTMLText {
  static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
      .replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
  }
}
