/** Names as people write them, each with searches that find it and no other: text is folded alike in every service. */
export const searchedNames: readonly (readonly [name: string, ...searches: string[]])[] = [
  ['Åsa Öberg', 'asa', 'ÅSA', 'A\u030Asa', 'sa öb', 'oberg'],
  ['JOSÉ NÚÑEZ', 'jose nunez', 'Núñ', 'josé'],
  ['Guðrún Þórsdóttir', 'gudrun', 'GUÐRÚN', 'thors', 'ÞÓRSDÓTTIR'],
  ['Νίκος Παπαδόπουλος', 'ΝΙΚΟΣ', 'νικοσ', 'Νίκος', 'παπαδοπουλοΣ'],
  ['Łukasz Sørensen-Đorđević', 'lukasz sorensen-dordevic', 'ŁUKASZ', 'đorđ'],
  ['Großmann Bæk Cœur', 'grossmann baek coeur', 'GROẞMANN', 'BÆK CŒUR'],
  ['Ħamid Ŧerzi', 'hamid terzi', 'ĦAMID ŦERZI'],
  ['İnci Yıldız', 'inci yildiz', 'YILDIZ', 'İNCİ'],
  ['Алёна Соловьёва', 'АЛЕНА', 'соловьева'],
];
