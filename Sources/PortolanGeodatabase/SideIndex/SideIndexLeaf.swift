/// A leaf of a side index, of which nothing is read that is not there.
@safe
struct SideIndexLeaf {
  private let bytes: UnsafeRawBufferPointer

  /// Takes the bytes of a leaf, which are at least as many as its fixed part.
  init(_ bytes: UnsafeRawBufferPointer) { unsafe self.bytes = bytes }

  /// The key of the row of an entry.
  @inline(__always)
  func rowKey(_ entry: Int) -> Int64 { number(at: SideIndexNode.rowsOffset + 8 * entry) }

  /// The object id of an entry.
  @inline(__always)
  func objectID(_ entry: Int) -> Int64 { number(at: SideIndexNode.objectIDsOffset + 8 * entry) }

  /// The shape of an entry as its row has it, empty if it has none; `nil` if the index does not
  /// hold it, or contradicts itself.
  @inline(__always)
  func shape(_ entry: Int) -> UnsafeRawBufferPointer? {
    let absent: UInt16 = number(at: SideIndexNode.absentOffset)
    guard absent >> UInt16(entry) & 1 == 0 else { return nil }
    let start = entry == 0 ? SideIndexNode.shapesOffset : end(of: entry - 1)
    let end = end(of: entry)
    guard start >= SideIndexNode.shapesOffset, start <= end, unsafe end <= bytes.count else {
      return nil
    }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
  }

  @inline(__always)
  private func end(of entry: Int) -> Int {
    Int(number(at: SideIndexNode.endsOffset + 4 * entry) as UInt32)
  }

  /// A number of the fixed part.
  @inline(__always)
  private func number<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    unsafe Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}
