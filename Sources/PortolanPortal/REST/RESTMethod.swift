/// The way in which the parameters of a REST request are sent.
///
/// Services answer both verbs alike (Docs/REST.md, 1).
public enum RESTMethod: Sendable {
  /// In the address while that stays short, else in a form; for requests that only ask, since they
  /// may be sent again.
  case automatic
  /// In the address, however long.
  case get
  /// In a form.
  case post
}
