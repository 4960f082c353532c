internal import Foundation

/// The routes of this machine that lead to any address, as the kernel lists them.
///
/// `/proc/net` is read rather than asked over netlink: the same facts, as text that tests can write.
struct RoutingTable {
  /// The interfaces that a default route leads through.
  let defaultInterfaces: Set<String>

  /// Reads `/proc/net/route` and `/proc/net/ipv6_route`.
  ///
  /// - Parameters:
  ///   - version4: The first file; `nil` if it cannot be read.
  ///   - version6: The second; `nil` if it cannot be read, as where IPv6 is switched off.
  init?(version4: String?, version6: String?) {
    guard version4 != nil || version6 != nil else { return nil }
    let lines4 = (version4 ?? "").split(separator: "\n").dropFirst()
    let lines6 = (version6 ?? "").split(separator: "\n")
    defaultInterfaces = Set(lines4.compactMap(Self.interface4) + lines6.compactMap(Self.interface6))
  }

  /// The table of now; `nil` if the system does not say.
  static func current() -> RoutingTable? {
    RoutingTable(version4: text("/proc/net/route"), version6: text("/proc/net/ipv6_route"))
  }

  private static func text(_ path: String) -> String? {
    // What cannot be read is not known, which is all that matters here.
    try? String(contentsOfFile: path, encoding: .utf8)
  }

  private static let isUp: UInt32 = 0x0001
  /// The route refuses what it matches (`RTF_REJECT`), as the kernel's own default of IPv6 does.
  private static let refuses: UInt32 = 0x0200

  /// `Iface Destination Gateway Flags RefCnt Use Metric Mask ...`.
  private static func interface4(_ line: Substring) -> String? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count >= 8, isZero(words[1]), isZero(words[7]), isUsable(words[3]) else {
      return nil
    }
    return String(words[0])
  }

  /// `destination length source length gateway metric references use flags interface`.
  private static func interface6(_ line: Substring) -> String? {
    let words = line.split(whereSeparator: \.isWhitespace)
    guard words.count >= 10, isZero(words[0]), isZero(words[1]), isUsable(words[8]) else {
      return nil
    }
    return String(words[9])
  }

  private static func isZero(_ digits: Substring) -> Bool { digits.allSatisfy { $0 == "0" } }

  private static func isUsable(_ flags: Substring) -> Bool {
    guard let flags = UInt32(flags, radix: 16) else { return false }
    return flags & isUp != 0 && flags & refuses == 0
  }
}
