/// The version of Portolan, for people and for servers.
public enum ProductVersion {
  /// The version, as in CHANGELOG.md.
  public static let current = "0.1.0"
}
