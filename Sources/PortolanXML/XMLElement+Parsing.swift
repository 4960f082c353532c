internal import CXML2
public import Foundation

extension XMLElement {
  /// How deep elements may be nested.
  public static let maximumDepth = 128

  /// Reads a document; its root is the result.
  ///
  /// Nothing is fetched, no entity is expanded, and a document type is refused.
  public init(parsing data: Data) throws(XMLError) {
    self = try XMLReader(data).root()
  }

  /// Reads a document.
  public init(parsing text: String) throws(XMLError) {
    try self.init(parsing: Data(text.utf8))
  }
}

/// Walks through a document with libxml2's pull parser.
///
/// - SeeAlso: [XmlTextReader](https://gnome.pages.gitlab.gnome.org/libxml2/html/group__xmlreader.html)
@safe
private struct XMLReader: ~Copyable {
  private let reader: xmlTextReaderPtr
  /// The reader does not copy what it reads.
  private let bytes: UnsafeMutableRawBufferPointer
  private let suppression = XMLErrorSuppression()

  init(_ data: Data) throws(XMLError) {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: max(1, data.count), alignment: 1)
    unsafe bytes.copyBytes(from: data)
    let options =
      XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    let reader = unsafe xmlReaderForMemory(
      bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
      Int32(clamping: data.count), nil, nil, Int32(options))
    guard let reader = unsafe reader else {
      unsafe bytes.deallocate()
      throw .malformed(reason: "there is nothing to read", line: 1)
    }
    unsafe self.reader = reader
    unsafe self.bytes = bytes
  }

  deinit {
    unsafe xmlFreeTextReader(reader)
    unsafe bytes.deallocate()
  }

  func root() throws(XMLError) -> XMLElement {
    var open: [XMLElement] = []
    while try advance() {
      switch unsafe UInt32(bitPattern: xmlTextReaderNodeType(reader)) {
      case XML_READER_TYPE_ELEMENT.rawValue:
        guard open.count < XMLElement.maximumDepth else {
          throw .nestedTooDeep(limit: XMLElement.maximumDepth)
        }
        let isEmpty = unsafe xmlTextReaderIsEmptyElement(reader) == 1
        open.append(element())
        if isEmpty, let root = close(&open) { return try finished(root) }
      case XML_READER_TYPE_END_ELEMENT.rawValue:
        if let root = close(&open) { return try finished(root) }
      case XML_READER_TYPE_TEXT.rawValue, XML_READER_TYPE_CDATA.rawValue:
        if !open.isEmpty { open[open.count - 1].text += value() }
      case XML_READER_TYPE_DOCUMENT_TYPE.rawValue, XML_READER_TYPE_ENTITY_REFERENCE.rawValue:
        throw .forbiddenDeclaration
      default: break
      }
    }
    throw malformed("the document ends too early")
  }

  /// Reads to the end, so that what follows the root is checked too.
  private func finished(_ root: XMLElement) throws(XMLError) -> XMLElement {
    while try advance() {}
    return root
  }

  private func advance() throws(XMLError) -> Bool {
    switch unsafe xmlTextReaderRead(reader) {
    case 1: return true
    case 0: return false
    default: throw malformed(lastMessage())
    }
  }

  private func lastMessage() -> String {
    guard let error = unsafe xmlGetLastError(), let message = unsafe error.pointee.message else {
      return "a mistake in the markup"
    }
    return unsafe String(cString: message).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func malformed(_ reason: String) -> XMLError {
    .malformed(reason: reason, line: max(1, unsafe Int(xmlTextReaderGetParserLineNumber(reader))))
  }

  /// Ends the innermost element; returns it if it was the root.
  private func close(_ open: inout [XMLElement]) -> XMLElement? {
    guard var element = open.popLast() else { return nil }
    element.text = element.text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !open.isEmpty else { return element }
    open[open.count - 1].children.append(element)
    return nil
  }

  private func element() -> XMLElement {
    var element = XMLElement(name())
    while unsafe xmlTextReaderMoveToNextAttribute(reader) == 1 {
      element.attributes[name()] = value()
    }
    return element
  }

  private func name() -> String {
    unsafe xmlTextReaderConstLocalName(reader).map { unsafe String(cString: $0) } ?? ""
  }

  private func value() -> String {
    unsafe xmlTextReaderConstValue(reader).map { unsafe String(cString: $0) } ?? ""
  }
}
