public import PortolanPortal

/// A password, a key or a code, which no log and no description shows.
public typealias SignInSecret = Secret

extension SignInSecret {
  /// Wraps what a person typed.
  public init(typed text: String) { self.init(text) }
}
